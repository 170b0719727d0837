import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { card, noAuth, secretHeader, sidecard, text } from 'sidecard'
import { check, exitCodeOf } from 'sidecard/check'
import { createTransport } from '../../src/cli/transport/transport.ts'
import { endpoint, HEADERS, send } from '../fixtures/endpoints/reference.ts'
import { listen } from '../helpers/listen.ts'

const { fetch } = createTransport({ publicOnly: false })

const fixture = (name: string) => new URL(`../fixtures/endpoints/${name}`, import.meta.url).pathname

/** Starts an endpoint in another language, which prints its port. */
async function start(command: string, file: string): Promise<string> {
  const child = spawn(command, [fixture(file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return `http://127.0.0.1:${port}/`
}

const has = (command: string) => spawnSync(command, ['--version']).status === 0

async function expectAllKept(target: Parameters<typeof check>[0], options = {}) {
  const report = await check(target, { headers: HEADERS, expectAuth: true, fetch, ...options })
  expect(report.results.filter(({ findings }) => findings.length > 0)).toEqual([])
  expect(report.results.filter(({ status }) => status === 'skip').map(({ rule }) => rule)).toEqual([
    'auth-none',
  ])
  expect(exitCodeOf(report, { strict: true })).toBe(0)
  return report
}

describe('a reference endpoint keeps every rule', () => {
  it('Node without a framework, JSON form', async () => {
    await expectAllKept(await listen(endpoint()))
  })

  it('Node without a framework, text form', async () => {
    const url = await listen(endpoint({ verify: (asked) => send(asked, asked.code, 'text/plain') }))
    await expectAllKept(url)
  })

  it.skipIf(!has('python3'))('Python’s standard library', async () => {
    await expectAllKept(await start('python3', 'reference.py'))
  })

  it.skipIf(!has('perl'))('Perl’s own modules', async () => {
    await expectAllKept(await start('perl', 'reference.pl'))
  })

  it.each(['json', 'text'] as const)('Sidecard’s own, %s form', async (handshake) => {
    const app = sidecard({
      header: { title: 'Own' },
      handshake,
      auth: secretHeader('x-key', HEADERS['x-key']),
      logger: false,
      fetchData: ({ params }) => [
        card({ components: [text({ label: 'Account', value: params.account_id ?? 'none' })] }),
      ],
    })
    await expectAllKept({ fetch: (request) => app.fetch(request) })
  })

  it('Sidecard’s own without authentication is warned about that alone', async () => {
    const app = sidecard({
      header: { title: 'Own' },
      auth: noAuth(),
      logger: false,
      fetchData: () => [],
    })
    const report = await check({ fetch: (request) => app.fetch(request) })
    const spoken = report.results.filter(({ findings }) => findings.length > 0)
    expect(spoken.map(({ rule }) => rule)).toEqual(['auth-none'])
  })
})
