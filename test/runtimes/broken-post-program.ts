/** A POST on a reused connection that breaks after the request has arrived. */
import { createClient } from '../../src/runtime/client/index.ts'

const [, , baseUrl = ''] = globalThis.process.argv
const client = createClient({ baseUrl, accessToken: 'token', timeoutMs: 5_000 })
const outcomes = []
for (const create of [
  () => client.tasks.create({ title: 'x' }),
  () => client.request('POST', '/tasks', { body: { title: 'x' } }),
  () => client.messages.redact({ issue_id: '1', message_id: '2' }),
]) {
  /* oxlint-disable no-await-in-loop -- each POST reuses the connection of the GET before it */
  await client.users.list()
  outcomes.push(
    await create().then(
      () => 'sent',
      ({ code }) => code,
    ),
  )
}
// oxlint-disable-next-line no-console -- the test reads it
console.log(JSON.stringify(outcomes))
