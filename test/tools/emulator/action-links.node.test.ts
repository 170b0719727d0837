import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from 'sidecard/check'
import { createEmulator } from 'sidecard/emulator'
import { toNodeHandler } from 'sidecard/node'
import { expect, test } from 'vitest'
import { formatReport, REPORTERS } from '../../../src/tools/check/report/reporters/index.ts'
import { createActionApp } from '../../helpers/actions.ts'
import { cli } from '../../helpers/cli.ts'
import { listen } from '../../helpers/listen.ts'

const IDS = { issue_id: 'iss_1042', account_id: 'acc_northwind', requester_id: 'usr_maria' }
/** Every token of an action starts with it, even if it was cut. */
const TOKEN = /eyJ/
const KEPT = '/actions?t=token'

/** Opens a sidebar with an action, and follows its link as an agent behind a tunnel does. */
async function opened() {
  const projectDir = await mkdtemp(join(tmpdir(), 'sidecard-actions-'))
  const emulator = createEmulator({ projectDir })
  const app = await emulator.apps.create({ name: 'Billing', target: createActionApp() })
  const { widgets } = await emulator.issues.open('iss_1042')
  const [button] = widgets[0]!.payload!.components
  const url = (button as { url: string }).url
  const other = { appId: app.id, startedAt: Date.now(), durationMs: 3 }
  await emulator.exchanges.record({ ...other, url })
  await emulator.exchanges.record({
    ...other,
    url: `${url.split('?')[0]}?next=${encodeURIComponent(url)}`,
  })
  const cut = new TextEncoder().encode(`{"url":"${url.slice(0, 120)}`)
  const response = { status: 200, headers: { 'content-type': 'application/json' }, body: cut }
  const query = new URLSearchParams({ request_type: 'fetch_data', ...IDS })
  await emulator.exchanges.record({ ...other, url: `http://sidecard.test/?${query}`, response })
  return { emulator, projectDir, url, id: widgets[0]!.exchangeId ?? '' }
}

test.each([true, false])(
  'a saved fixture contains no token (anonymized: %s)',
  async (anonymize) => {
    const { emulator, projectDir, id } = await opened()
    const saved = await emulator.exchanges.save(id, { name: 'trial', anonymize })
    const text = await readFile(join(projectDir, saved.file), 'utf8')
    expect(text).toContain(anonymize ? 'https://example.com/' : KEPT)
    expect(text).not.toMatch(TOKEN)
  },
)

test('a recording of the CLI contains no token', async () => {
  const url = await listen(toNodeHandler(createActionApp()))
  const out = join(await mkdtemp(join(tmpdir(), 'sidecard-actions-')), 'trial.json')
  const ids = Object.entries(IDS).flatMap(([name, value]) => ['--param', `${name}=${value}`])
  expect(await cli(['record', url, ...ids, '--output', out])).toMatchObject({ exitCode: 0 })
  const recording = await readFile(out, 'utf8')
  expect(recording).toContain('https://example.com/')
  expect(recording).not.toMatch(TOKEN)
})

test('a report of the checker contains no token, in any format', async () => {
  const report = await check(createActionApp(), { customers: [{ ids: IDS }], details: true })
  expect(JSON.stringify(report)).toContain(KEPT)
  for (const name of REPORTERS) expect(formatReport(report, name)).not.toMatch(TOKEN)
  expect(JSON.stringify(report)).not.toMatch(TOKEN)
})
