import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RULES } from '../../../src/tools/check/rules/index.ts'
import { endpoint, HEADERS, json, payload } from '../../fixtures/endpoints/reference.ts'
import { cli } from '../../helpers/cli.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { runCheck as run } from './helpers.ts'

const listen = listenConcurrently()

const KEY = `x-key: ${HEADERS['x-key']}`

describe.concurrent('sidecard check', () => {
  it('prints a table for an endpoint without failures, and what it did not prove', async () => {
    const { exitCode, stdout, stderr } = await run([await listen(endpoint()), '-H', KEY])
    expect(stdout).toMatch(/handshake\s+✓ \d+ passed/)
    expect(stdout).toMatch(/not proven to conform[^]*\nNot proven: security-isolation, because /)
    expect(stdout).not.toContain(HEADERS['x-key'])
    expect(stderr).toBe('')
    expect(exitCode).toBe(1)
  })

  it('exits 1 and names rule, path, contract and fix for one that violates it', async () => {
    const grey = { type: 'badge', label: 'L', items: [{ value: 'a', color: 'grey' }] }
    const url = await listen(
      endpoint({ data: (received) => json(received, payload(received, [grey])) }),
    )
    const { exitCode, stdout } = await run([url, '-H', KEY])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('✗ badge-color')
    expect(stdout).toContain('components[3].items[0].color')
    expect(stdout).toContain('Use "gray".')
    expect(stdout).toMatch(/contract `color` is one of/)
  })

  it('exits 3 if the endpoint is unreachable', async () => {
    const { exitCode, stdout } = await run(['http://127.0.0.1:1/'])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('The endpoint is unreachable.')
  })

  it('without a URL, checks the server of the project, at the port in PORT', async () => {
    const { exitCode, stdout } = await cli(['check'], { env: { PORT: '1' } })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('http://127.0.0.1:1')
    const invalid = await cli(['check'], { env: { PORT: '70000' } })
    expect([invalid.exitCode, invalid.stderr]).toEqual([
      2,
      'sidecard check: PORT must be an integer from 1 to 65535.\n',
    ])
  })

  it.each([
    [['ftp://x'], /http:\/\/ or https/],
    [['nonsense'], /A URL starts with http/],
    [['http://u:pw@127.0.0.1'], /contains credentials/],
    [['http://127.0.0.1', '-H', 'no colon'], /colon is missing.*-H 'name: value'/],
    [
      ['http://127.0.0.1', '-H', 'x key: v'],
      /Invalid header name "x key": it contains whitespace\. Did you mean x-key\?/,
    ],
    [
      ['http://127.0.0.1', '-H', 'x-key : v'],
      /"x-key ": it contains whitespace\. Did you mean x-key\?/,
    ],
    [['http://127.0.0.1', '-H', ': v'], /Invalid header name ""/],
    [['http://127.0.0.1', '-H', 'x-key:'], /header "x-key" has no value/],
    [
      ['http://127.0.0.1', '-H', 'x-key: env:NOT_THERE'],
      /NOT_THERE, used by header "x-key", is not set in the environment, \.env or \.dev\.vars/,
    ],
    [
      ['http://127.0.0.1', '--param', 'acount_id=3'],
      /--param: there is no ID "acount_id"\. Did you mean account_id\?/,
    ],
    [
      ['http://127.0.0.1', '--param', 'account_id'],
      /equals sign is missing.*--param account_id=acme/,
    ],
    [
      ['http://127.0.0.1', '--expect-auth'],
      /--expect-auth requires the header with the secret.*-H 'x-sidecard-secret: env:SIDECARD_SECRET'/,
    ],
    [
      ['http://127.0.0.1', '--only', 'handshake-txt'],
      /Unknown rule or group "handshake-txt"\. Did you mean handshake-text\?/,
    ],
    [['http://127.0.0.1', '--only', 'uri', '--skip', 'components'], /No rule is selected/],
    [['http://127.0.0.1', '--reporter', 'jnuit'], /Did you mean junit\?/],
    [
      ['http://127.0.0.1', '--json', '--reporter', 'junit'],
      /--json cannot be combined with --reporter/,
    ],
    [
      ['http://127.0.0.1', '--reporter', 'json', '--reporter', 'junit'],
      /Two reporters write to standard output\. Give each of them its own file\./,
    ],
    [
      ['http://127.0.0.1', '--reporter', 'json=r.txt', '--reporter', 'junit=./a/../r.txt'],
      /Two reporters write to ".*r\.txt"\. Give each of them its own file\./,
    ],
    [
      ['http://127.0.0.1', '--reporter', 'json=r.txt', '--reporter', 'junit', '--output', 'r.txt'],
      /Two reporters write to/,
    ],
    [['http://127.0.0.1', '--reporter', 'junit='], /has no file/],
    [['http://127.0.0.1', '--reporter', 'junit=a.xml', '--output', 'b.xml'], /--output is unused/],
    [['http://127.0.0.1', '--baseline', '/nowhere/b.json'], /Cannot read the baseline/],
    [['http://127.0.0.1', '--no-such-option'], /no-such-option/],
    [['--explain', 'badge-colr'], /Unknown rule "badge-colr"\. Did you mean badge-color\?/],
  ])('exits 2 and shows the usage: %j', async (args, message) => {
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

  it('lists and explains rules as JSON', async () => {
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
      /card-nested[^]*MUST[^]*except `card`[^]*docs\/checks\/components\.md#card-nested/,
    )
  })

  it('runs the rules of --only and skips those of --skip', async () => {
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

  it('fails on warnings only with --strict', async () => {
    const url = await listen(endpoint({ authorized: () => true }))
    expect((await run([url, '--allow-unproven'])).exitCode).toBe(0)
    expect((await run([url, '--allow-unproven', '--strict'])).exitCode).toBe(1)
  })

  it('fails an open endpoint only if authentication is expected', async () => {
    const url = await listen(endpoint({ authorized: () => true }))
    expect((await run([url, '-H', KEY, '--allow-unproven'])).exitCode).toBe(0)
    expect((await run([url, '-H', KEY, '--allow-unproven', '--expect-auth'])).exitCode).toBe(1)
  })

  it('does not fail a half-open endpoint with --no-expect-auth', async () => {
    const url = await listen(
      endpoint({
        authorized: ({ params, request }) =>
          params.get('request_type') === 'verify' || request.headers['x-key'] === HEADERS['x-key'],
      }),
    )
    expect((await run([url, '-H', KEY, '--allow-unproven'])).exitCode).toBe(1)
    expect((await run([url, '-H', KEY, '--allow-unproven', '--no-expect-auth'])).exitCode).toBe(0)
  })

  it('passes with the failures in the baseline, and fails on a stale entry', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidecard-check-'))
    const baseline = join(folder, 'baseline.json')
    const url = await listen(
      endpoint({ verify: (received) => json(received, { code: received.code, ok: true }) }),
    )
    await writeFile(baseline, '["handshake-fields"]')
    const forgiven = await run([url, '-H', KEY, '--allow-unproven', '--baseline', baseline])
    expect(forgiven.exitCode).toBe(0)
    expect(forgiven.stdout).toContain('1 known failure')
    await writeFile(baseline, '["handshake-fields", "badge-color"]')
    const stale = await run([url, '-H', KEY, '--allow-unproven', '--baseline', baseline])
    expect(stale.exitCode).toBe(1)
    expect(stale.stdout).toContain('badge-color passes now. Remove it from the baseline.')
    await writeFile(baseline, '["no-such-rule"]')
    expect((await run([url, '--baseline', baseline])).exitCode).toBe(2)
  })

  it('writes several reports of one run to different files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidecard-check-'))
    const [xml = '', jsonPath = ''] = ['r.xml', 'r.json'].map((name) => join(folder, name))
    const args = ['--reporter', 'github', '--reporter', `junit=${xml}`]
    const url = await listen(endpoint())
    const { stdout } = await run([url, '-H', KEY, ...args, '--reporter', `json=${jsonPath}`])
    expect(stdout).toMatch(/^::error title=sidecard check::/)
    expect(await readFile(xml, 'utf8')).toMatch(/^<\?xml[^]*<\/testsuites>\n$/)
    expect(JSON.parse(await readFile(jsonPath, 'utf8'))).toMatchObject({ verdict: 'not_proven' })
  })

  it.each([
    ['in a folder that does not exist', '/nowhere/at/all/report.xml', /no such file or folder/],
    ['that is a folder', tmpdir(), /it is a folder/],
    ['below a file', `${import.meta.filename}/report.xml`, /a part of the path is not a folder/],
  ])('rejects an output %s before the first request', async (_name, file, message) => {
    let requests = 0
    const url = await listen(() => (requests += 1))
    const { exitCode, stderr } = await run([url, '--reporter', 'junit', '--output', file])
    expect(stderr).toMatch(/^sidecard check: Cannot write "/)
    expect(stderr).toMatch(message)
    expect(exitCode).toBe(2)
    expect(requests).toBe(0)
  })

  it.runIf(existsSync('/dev/full'))(
    'shows the verdict even if a report cannot be written',
    async () => {
      const url = await listen(endpoint())
      const full = ['--reporter', 'junit=/dev/full']
      const both = await run([url, '-H', KEY, ...full, '--reporter', 'human'])
      expect(both.stdout).toContain('The endpoint is not proven')
      expect(both.stderr).toMatch(
        /Cannot write "\/dev\/full": the disk is full\. The endpoint is not proven/,
      )
      expect(both.exitCode).toBe(1)
      const failing = await run([url, ...full])
      expect(failing.stderr).toContain('the disk is full. The endpoint')
      expect(failing.exitCode).toBe(1)
    },
  )

  it('removes the empty report if the usage is invalid', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'sidecard-check-')), 'report.xml')
    await run(['http://127.0.0.1:1/', '--only', 'uri', '--skip', 'uri', '--output', file])
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  it('keeps an existing report until the new one is written', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'sidecard-check-')), 'report.json')
    const old = '{"version": 2, "verdict": "conforms"}'
    await writeFile(file, old)
    await run(['http://127.0.0.1', '--only', 'nonsense', '--json', '--output', file])
    expect(await readFile(file, 'utf8')).toBe(old)
  })

  it('reads several customers from repeated parameters', async () => {
    const seen = new Set<string>()
    const url = await listen(
      endpoint({
        data(received) {
          const { params } = received
          seen.add(`${params.get('account_id')} ${params.get('requester_email')}`)
          json(received, payload(received))
        },
      }),
    )
    const params = ['account_id=acme', 'requester_email=a@b.example', 'account_id=globex']
    await run([url, '-H', KEY, ...params.flatMap((pair) => ['--param', pair])])
    expect([...seen]).toContain('acme a@b.example')
    expect([...seen].some((each) => each.startsWith('globex '))).toBe(true)
    expect([...seen]).not.toContain('globex a@b.example')
  })

  it.each([
    ['a scheme', 'Authorization: Bearer env:TOKEN', 'authorization', 'Bearer Zz9'],
    ['a cookie', 'Cookie: a=b; session=env:TOKEN', 'cookie', 'a=b; session=Zz9'],
  ])('reads a variable after %s', async (_name, header, name, value) => {
    const seen = new Set<unknown>()
    const url = await listen(
      endpoint({ authorized: ({ request }) => seen.add(request.headers[name]) !== undefined }),
    )
    await run([url, '-H', header], { TOKEN: 'Zz9' })
    expect([...seen]).toContain(value)
  })

  it.each([
    [
      'no header',
      [],
      /fix\s+Send the custom header that the endpoint requires, such as x-sidecard-secret\./,
    ],
    [
      'a wrong secret',
      ['-H', 'x-key: wrong-secret-1'],
      /returned 401: a required header is missing or wrong[^]*fix\s+The endpoint rejected the value of "x-key"\. Compare it with the complete secret/,
    ],
  ])('explains how to fix a 401 with %s', async (_name, args, message) => {
    const { exitCode, stdout } = await run([await listen(endpoint()), ...args])
    expect(stdout).toMatch(message)
    expect(stdout).not.toContain('wrong-secret')
    expect(exitCode).toBe(1)
  })

  it('does not end in conforms for a run of some rules, or of none', async () => {
    const url = await listen(endpoint())
    const some = await run([url, '-H', KEY, '--only', 'handshake'])
    expect(some.stdout).toContain('The selected rules passed.')
    expect(some.exitCode).toBe(0)
    const none = await run([url, '-H', KEY, '--only', 'auth-none'])
    expect(none.stdout).toContain('no selected rule was evaluated')
    expect(none.stdout).not.toContain('conforms')
    expect(none.exitCode).toBe(1)
  })

  it('does not end in conforms for open customer data', async () => {
    const url = await listen(endpoint({ authorized: () => true }))
    const { exitCode, stdout } = await run([url])
    expect(stdout).toContain('Not proven: auth-none, because data was returned without a secret.')
    expect(exitCode).toBe(1)
  })

  it('prints the whole page of a rule', async () => {
    const { stdout } = await run(['--explain', 'response-redirect'])
    const rule = RULES.find(({ id }) => id === 'response-redirect')
    const text = stdout.replaceAll(/\s+/g, ' ')
    for (const part of [rule?.title, rule?.contract.statement, rule?.why, rule?.fix]) {
      expect(text).toContain(part)
    }
    expect(text).toContain('node_modules/sidecard/docs/checks/reachability.md#response-redirect')
  })

  it('ends quietly if the reader of a list has exited', { timeout: 20_000 }, () => {
    const bin = new URL('../../../src/tools/cli/bin.ts', import.meta.url).pathname
    const command = `"${process.execPath}" "${bin}" check --list | true; echo "exit \${PIPESTATUS[0]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toBe('exit 0\n')
  })

  it('shows progress only in a terminal', async () => {
    const url = await listen(endpoint())
    expect((await run([url], {}, true)).stderr).toContain('testing handshakes and data fetches')
    expect((await run([url], { NO_COLOR: '1' }, true)).stderr).toBe('')
    expect((await run([url])).stderr).toBe('')
  })

  it('finishes within its limits for a compressed bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000))
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const { exitCode, stdout } = await run([url, '--timeout', '15000'])
    expect(stdout).toContain('response-size')
    expect(exitCode).toBe(1)
  })
})
