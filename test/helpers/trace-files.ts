/**
 * Prints the source files that one warm data fetch enters, as JSON: for each kind
 * of request, the files with a function that ran. Node runs it directly, because
 * the module runner of the tests would hide the files.
 */
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { identify, noAuth, section, sidecard, text } from '../../src/index.ts'

const source = new URL('../../src/', import.meta.url)
const ids = 'request_type=fetch_data&issue_id=i_1&account_id=a_1&requester_email=a%40b.example'

const apps = {
  literals: sidecard({
    header: { title: 'Plain' },
    auth: noAuth(),
    fetchData: () => [{ type: 'text', label: 'Plan', value: 'Pro' }],
  }),
  identified: sidecard({
    header: { title: 'Identified' },
    auth: noAuth(),
    async fetchData(ctx) {
      const { value } = await identify(ctx, { account_id: (id) => ({ plan: id }) })
      return [
        text({ label: 'Plan', value: value.plan }),
        section('Errors', () => [text({ label: 'Errors', value: '0' })]),
      ]
    },
  }),
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')
const files: Record<string, string[]> = {}
for (const [name, app] of Object.entries(apps)) {
  const request = () => app.request(`/?${ids}`)
  // The first requests run code that is only needed once.
  for (let round = 0; round < 3; round += 1) await (await request()).text()
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await (await request()).text()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  files[name] = result
    .filter(({ url }) => url.startsWith(source.href))
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
    )
    .map(({ url }) => relative(fileURLToPath(source), fileURLToPath(url)))
    .toSorted()
}
session.disconnect()
process.stdout.write(JSON.stringify(files))
