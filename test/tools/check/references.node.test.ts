import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { card, noAuth, secretHeader, sidecard, text } from 'sidecard'
import { check } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import { endpoint, HEADERS, send } from '../../fixtures/endpoints/reference.ts'
import { listen } from '../../helpers/listen.ts'
import { checkAsCommand, notEvaluated, SKIPPED_BY_DEFAULT, withFindings } from './helpers.ts'

const fixture = (name: string) =>
  new URL(`../../fixtures/endpoints/${name}`, import.meta.url).pathname

/** Starts an endpoint in another language. It prints its port. */
async function start(command: string, file: string): Promise<string> {
  const child = spawn(command, [fixture(file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return `http://127.0.0.1:${port}/`
}

const has = (command: string) => spawnSync(command, ['--version']).status === 0

/** An endpoint that shows only the requested IDs has no data that a rejection could contain. */
const ONLY_IDS = SKIPPED_BY_DEFAULT.toSpliced(4, 0, 'auth-rejection-data')
const NOT_REUSED = ['response-reused-connection', ...ONLY_IDS]

async function expectConformance(
  target: Parameters<typeof check>[0],
  expected: readonly string[] = SKIPPED_BY_DEFAULT,
) {
  const report = await checkAsCommand(target, { expectAuth: true })
  expect(withFindings(report)).toEqual([])
  expect(notEvaluated(report)).toEqual(expected)
  // Only the texts of customers prove isolation.
  expect(report.verdict).toBe('not_proven')
  expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(0)
}

describe('a reference endpoint conforms to every rule', () => {
  it('Node without a framework, JSON form', async () => {
    await expectConformance(await listen(endpoint()))
  })

  it('Node without a framework, text form', async () => {
    const url = await listen(
      endpoint({ verify: (received) => send(received, received.code, 'text/plain') }),
    )
    await expectConformance(url)
  })

  it.skipIf(!has('python3'))('Python’s standard library', async () => {
    await expectConformance(await start('python3', 'reference.py'), ONLY_IDS)
  })

  it.skipIf(!has('perl'))('Perl’s own modules', async () => {
    await expectConformance(await start('perl', 'reference.pl'), NOT_REUSED)
  })

  it.each(['json', 'text'] as const)('Sidecard, %s form', async (handshake) => {
    const app = sidecard({
      header: { title: 'Own' },
      handshake,
      auth: secretHeader('x-key', HEADERS['x-key']),
      logger: false,
      fetchData: ({ params }) => [
        card({ components: [text({ label: 'Account', value: params.account_id ?? 'none' })] }),
      ],
    })
    await expectConformance({ fetch: (request) => app.fetch(request) }, NOT_REUSED)
  })

  it('Sidecard without authentication has only that warning, and does not end in conforms', async () => {
    const app = sidecard({
      header: { title: 'Own' },
      auth: noAuth(),
      logger: false,
      fetchData: () => [],
    })
    const report = await check({ fetch: (request) => app.fetch(request) })
    const found = report.results.filter(({ findings }) => findings.length > 0)
    expect(found.map(({ rule }) => rule)).toEqual(['auth-none'])
    expect(report.verdict).toBe('not_proven')
  })
})
