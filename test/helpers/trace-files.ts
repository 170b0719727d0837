/**
 * Prints the source files that one warm data fetch enters, as JSON: the files with a
 * function that ran. Node runs it directly, because
 * the module runner of the tests would hide the files.
 */
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identify, secretHeader, section, sidecard, text } from '../../src/index.ts'

const source = new URL('../../src/', import.meta.url)
const ids = 'request_type=fetch_data&issue_id=i_1&account_id=a_1&requester_email=a%40b.example'

const header = { title: 'Billing' }
const auth = secretHeader('x-secret', (env: { SECRET: string }) => env.SECRET)
const env = { SECRET: 'correct-horse' }

const app = sidecard<typeof env>({
  header,
  auth,
  async fetchData(ctx) {
    const { value } = await identify(ctx, { account_id: (id) => ({ plan: id }) })
    return [
      text({ label: 'Plan', value: value.plan }),
      section('Errors', async () => [text({ label: 'Errors', value: '0' })]),
    ]
  },
})
const request = () => app.request(`/?${ids}`, { headers: { 'x-secret': env.SECRET } }, env)

const session = new Session()
session.connect()
await session.post('Profiler.enable')
// The first requests run code that is only needed once.
for (let round = 0; round < 3; round += 1) await (await request()).text()
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await session.post('Profiler.takePreciseCoverage')
await (await request()).text()
const { result } = await session.post('Profiler.takePreciseCoverage')
await session.post('Profiler.stopPreciseCoverage')
const files = result
  .filter(({ url }) => url.startsWith(source.href))
  .filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0))
  .map(({ url }) => relative(fileURLToPath(source), fileURLToPath(url)))
session.disconnect()
process.stdout.write(JSON.stringify(files))
