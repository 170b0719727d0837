import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RULES } from 'sidecard/check'
import { runCheckCommand } from '../../src/cli/commands/check.ts'
import { PLAIN } from '../../src/check/reporters/palette.ts'
import { endpoint, HEADERS, json, payload } from '../fixtures/endpoints/reference.ts'
import { listen } from '../helpers/listen.ts'

async function run(args: readonly string[], env: Record<string, string> = {}, isTTY = false) {
  let stdout = ''
  let stderr = ''
  const exitCode = await runCheckCommand(args, {
    stdin: (async function* () {})(),
    color: false,
    cwd: process.cwd(),
    stdout: { write: (text) => (stdout += text), columns: 100 },
    stderr: { write: (text) => (stderr += text), isTTY },
    env,
    palette: PLAIN,
  })
  return { exitCode, stdout, stderr }
}

const KEY = `x-key: ${HEADERS['x-key']}`

describe('sidecard check', () => {
  it('exits 0 and prints a table for an endpoint that keeps the contract', async () => {
    const { exitCode, stdout, stderr } = await run([await listen(endpoint()), '-H', KEY])
    expect(stdout).toMatch(/handshake\s+✓ \d+ passed/)
    expect(stdout).toContain('The endpoint keeps the contract.')
    expect(stdout).not.toContain(HEADERS['x-key'])
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
  })

  it('exits 1 and names rule, path, contract and fix for one that breaks it', async () => {
    const grey = { type: 'badge', label: 'L', items: [{ value: 'a', color: 'grey' }] }
    const url = await listen(endpoint({ data: (asked) => json(asked, payload(asked, [grey])) }))
    const { exitCode, stdout } = await run([url, '-H', KEY])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('✗ badge-color')
    expect(stdout).toContain('components[3].items[0].color')
    expect(stdout).toContain('Did you mean "gray"?')
    expect(stdout).toMatch(/contract `color` is one of/)
  })

  it('shows the widget below the report with --show', async () => {
    const { stdout } = await run([await listen(endpoint()), '-H', KEY, '--show'])
    expect(stdout).toMatch(/keeps the contract[^]*╭─ Plan ─+╮[^]*Active/)
  })

  it('exits 3 when nothing answers at the address', async () => {
    const { exitCode, stdout } = await run(['http://127.0.0.1:1/'])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('Nothing answers at the address.')
  })

  it.each([
    [[], /address of the endpoint/],
    [['ftp://x'], /http:\/\/ or https/],
    [['nonsense'], /absolute URL/],
    [['http://u:pw@127.0.0.1'], /password/],
    [['http://127.0.0.1', '--timeout', 'soon'], /--timeout/],
    [['http://127.0.0.1', '--samples', '0'], /--samples/],
    [['http://127.0.0.1', '-H', 'no colon'], /name: value/],
    [['http://127.0.0.1', '-H', 'x-key: env:NOT_THERE'], /NOT_THERE/],
    [['http://127.0.0.1', '--param', 'acount_id=1'], /did you mean account_id/],
    [['http://127.0.0.1', '--expect-auth'], /expectAuth|headers/],
    [['http://127.0.0.1', '--only', 'handshake-txt'], /did you mean handshake-text/],
    [['http://127.0.0.1', '--reporter', 'xml'], /junit/],
    [['http://127.0.0.1', '--json', '--reporter', 'junit'], /other reporter/],
    [['http://127.0.0.1', '--baseline', '/nowhere/b.json'], /cannot be read/],
    [['http://127.0.0.1', '--no-such-option'], /no-such-option/],
    [['--explain', 'badge-colour'], /did you mean badge-color/],
  ])('exits 2 and says how to use it: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(args)
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('reads a header from the environment and never prints its value', async () => {
    const url = await listen(
      endpoint({
        verify: ({ request, response }) => response.writeHead(500).end(request.headers['x-key']),
      }),
    )
    const args = [url, '-H', 'x-key: env:KEY', '--reporter', 'json']
    const { exitCode, stdout, stderr } = await run(args, { KEY: HEADERS['x-key'] })
    expect(exitCode).toBe(1)
    expect(stdout + stderr).not.toContain(HEADERS['x-key'])
    expect(stdout).toContain('security-header-echo')
  })

  it('lists and explains rules as JSON, too', async () => {
    const listed = await run(['--list', '--json'])
    const rules = JSON.parse(listed.stdout) as { id: string }[]
    expect(rules.length).toBeGreaterThan(50)
    const explained = await run(['--explain', 'card-nested', '--reporter', 'json'])
    expect(JSON.parse(explained.stdout)).toEqual(rules.find(({ id }) => id === 'card-nested'))
  })

  it('lists every rule and explains each', async () => {
    const { stdout } = await run(['--list'])
    for (const { id } of RULES) expect(stdout).toContain(id)
    const explained = await run(['--explain', 'card-nested'])
    expect(explained.exitCode).toBe(0)
    expect(explained.stdout).toMatch(
      /card-nested[^]*MUST[^]*except `card`[^]*docs\/checks\/card-nested\.md/,
    )
  })

  it('judges only what --only names and nothing that --skip names', async () => {
    const url = await listen(endpoint())
    const args = [
      url,
      '-H',
      KEY,
      '--reporter',
      'json',
      '--only',
      'handshake,uri',
      '--skip',
      'handshake-code',
    ]
    const { results } = JSON.parse((await run(args)).stdout) as {
      results: Array<{ rule: string; group: string }>
    }
    expect(results.filter(({ group }) => group !== 'handshake').map(({ rule }) => rule)).toEqual([
      'uri',
    ])
    expect(results.map(({ rule }) => rule)).not.toContain('handshake-code')
  })

  it('lets warnings fail under --strict only', async () => {
    const url = await listen(endpoint({ authorized: () => true }))
    expect((await run([url])).exitCode).toBe(0)
    expect((await run([url, '--strict'])).exitCode).toBe(1)
  })

  it('fails an open endpoint only when authentication is expected', async () => {
    const url = await listen(endpoint({ authorized: () => true }))
    expect((await run([url, '-H', KEY])).exitCode).toBe(0)
    expect((await run([url, '-H', KEY, '--expect-auth'])).exitCode).toBe(1)
  })

  it('does not fail a half-open endpoint with --no-expect-auth', async () => {
    const url = await listen(
      endpoint({
        authorized: ({ params, request }) =>
          params.get('request_type') === 'verify' || request.headers['x-key'] === HEADERS['x-key'],
      }),
    )
    expect((await run([url, '-H', KEY])).exitCode).toBe(1)
    expect((await run([url, '-H', KEY, '--no-expect-auth'])).exitCode).toBe(0)
  })

  it('forgives what the baseline lists and fails on a stale entry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidecard-check-'))
    const baseline = join(folder, 'baseline.json')
    const url = await listen(
      endpoint({ verify: (asked) => json(asked, { code: asked.code, ok: true }) }),
    )
    await writeFile(baseline, '["handshake-fields"]')
    const forgiven = await run([url, '-H', KEY, '--baseline', baseline])
    expect(forgiven.exitCode).toBe(0)
    expect(forgiven.stdout).toContain('known to fail')
    await writeFile(baseline, '["handshake-fields", "badge-color"]')
    const stale = await run([url, '-H', KEY, '--baseline', baseline])
    expect(stale.exitCode).toBe(1)
    expect(stale.stdout).toContain('badge-color is kept now')
    await writeFile(baseline, '["no-such-rule"]')
    expect((await run([url, '--baseline', baseline])).exitCode).toBe(2)
  })

  it('writes the report to a file', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'sidecard-check-')), 'report.xml')
    const { stdout } = await run([
      await listen(endpoint()),
      '-H',
      KEY,
      '--reporter',
      'junit',
      '--output',
      file,
    ])
    expect(stdout).toBe('')
    expect(await readFile(file, 'utf8')).toMatch(/^<\?xml[^]*<\/testsuites>\n$/)
  })

  it('shows progress to a watcher and to nobody else', async () => {
    const url = await listen(endpoint())
    expect((await run([url], {}, true)).stderr).toContain('shaking hands')
    expect((await run([url], { NO_COLOR: '1' }, true)).stderr).toBe('')
    expect((await run([url])).stderr).toBe('')
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://017700000001:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[::]:1/',
    'http://0/',
    'http://localhost:1/',
    'http://LOCALHOST.:1/',
    'http://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://100.64.0.1/',
    'http://intranet/',
    'http://１２７.0.0.1/',
  ])('refuses %s with --public-only before any request', async (url) => {
    const { exitCode, stderr } = await run([url, '--public-only'])
    expect(stderr).toContain('not public')
    expect(exitCode).toBe(2)
  })

  it('ends within its limits whatever is poured on it', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const { exitCode, stdout } = await run([url, '--timeout', '1500'])
    expect(stdout).toContain('answer-size')
    expect(exitCode).toBe(1)
  })
})
