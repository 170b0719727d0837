/** Every kind of call of the client, against the emulator. */
import { ApiError, createClient, isSidecardError } from '../../src/runtime/client/index.ts'

const [, , baseUrl = '', accessToken = ''] = globalThis.process.argv
const client = createClient({ baseUrl, accessToken, timeoutMs: 5_000 })
const task = await client.tasks.create({ title: 'Zurück 📞', due_date: new Date(0) })
const message = await client.messages.redact({ issue_id: 'iss_1042', message_id: 'msg_1042_1' })
const users = await client.users.list().toArray()
const pages = []
for await (const page of client.tags.list().pages()) pages.push(page.data.length)
const { data: roles } = await client.userRoles.list()
const rejected = await createClient({ baseUrl, accessToken: 'wrong' })
  .teams.list()
  .then(
    () => 'accepted',
    (error: unknown) => error instanceof ApiError && isSidecardError(error) && error.status,
  )
// oxlint-disable-next-line no-console -- the test reads it
console.log(
  JSON.stringify({
    task: [task.title, task.due_date],
    redacted: message.message_html,
    users: users.length,
    pages,
    roles: roles.length,
    rejected,
  }),
)
