import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { listen } from '../../helpers/listen.ts'
import { connect, endpoint, widget } from './helpers.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'

describe('the request log', () => {
  test('keeps the newest 1,000 requests', async () => {
    const { emulator, app } = await connect()
    for (let count = 0; count < 1_005; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the order of the requests is the point
      await emulator.apps.connect(app.id)
    }
    const list = emulator.exchanges.list()
    expect(list).toHaveLength(1_000)
    expect(list[0]?.id).toBe(emulator.apps.get(app.id).lastHandshake?.exchangeId)
  })

  test('keeps at most 32 million characters of bodies', async () => {
    const body = `{"x":"${'y'.repeat(250_000)}"}`
    const { emulator, open } = await connect({ data: () => new Response(body) })
    await Promise.all(Array.from({ length: 160 }, () => open()))
    const { length } = emulator.exchanges.list()
    expect(length).toBeLessThan(150)
    expect(length).toBeGreaterThan(100)
  })

  test('can be cleared', async () => {
    const { emulator } = await connect()
    expect(emulator.exchanges.list()).toHaveLength(1)
    emulator.exchanges.clear()
    expect(emulator.exchanges.list()).toEqual([])
    expect(() => emulator.exchanges.get('exc_gone')).toThrow('no longer in the log')
  })

  test('shows bytes, trace ID and the spans of Server-Timing', async () => {
    const headers = {
      'x-sidecard-trace': 'abcdefghjkmn',
      'server-timing':
        'fetch;dur=12.25, section;desc="Recent \\"errors\\", all";dur=3;start=4, cdn, bad;dur=x',
    }
    const { open } = await connect({ data: () => Response.json(widget('Pro'), { headers }) })
    expect((await open()).exchange).toMatchObject({
      bytes: JSON.stringify(widget('Pro')).length,
      traceId: 'abcdefghjkmn',
      timing: [
        { name: 'fetch', description: null, durationMs: 12.25, startMs: null },
        { name: 'section', description: 'Recent "errors", all', durationMs: 3, startMs: 4 },
        { name: 'cdn', description: null, durationMs: null, startMs: null },
        { name: 'bad', description: null, durationMs: null, startMs: null },
      ],
    })
  })

  test.each([
    ['an endless header', `a;desc="${'x'.repeat(60_000)}`],
    ['many spans', Array.from({ length: 9_000 }, () => 'a').join()],
    ['nothing but separators', ';;;,,,===""""'],
  ])('reads a hostile Server-Timing quickly: %s', async (_name, value) => {
    const headers = { 'server-timing': value }
    const { open } = await connect({ data: () => Response.json(widget('Pro'), { headers }) })
    const startedAt = process.cpuUsage()
    expect((await open()).exchange?.timing.length).toBeLessThanOrEqual(100)
    expect(cpuMs(startedAt)).toBeLessThan(1_000)
  })
})

describe('the console', () => {
  test('is linked to requests by trace ID', async () => {
    const headers = { 'x-sidecard-trace': 'abcdefghjkmn' }
    const { emulator, open } = await connect({
      data: () => Response.json(widget('Pro'), { headers }),
    })
    emulator.console.append({ stream: 'stderr', text: '{"traceId":"abcdefghjkmn","x":1}\nother\n' })
    emulator.console.append({ stream: 'stdout', text: 'joined', traceId: 'abcdefghjkmn' })
    const { exchangeId } = await open()
    expect(emulator.exchanges.get(exchangeId ?? '').console).toMatchObject([
      { id: 1, stream: 'stderr', text: '{"traceId":"abcdefghjkmn","x":1}' },
      { id: 3, stream: 'stdout', text: 'joined' },
    ])
    expect(emulator.console.list()).toHaveLength(3)
    emulator.console.clear()
    expect(emulator.console.list()).toEqual([])
  })

  test('redacts header values before it truncates a line, and keeps 2,000 lines', async () => {
    const emulator = createEmulator()
    await emulator.apps.create({
      name: 'x',
      headers: { 'x-key': 'canary-secret-value' },
      target: endpoint(),
    })
    emulator.console.append({
      stream: 'stdout',
      text: `a canary-secret-value\n${'x'.repeat(16_374)}canary-secret-value`,
    })
    const [whole, cut] = emulator.console.list()
    expect(whole?.text).toBe('a [hidden]')
    expect(cut?.text).not.toContain('canary-s')
    expect(cut?.text.length).toBeLessThan(16_400)
    emulator.console.append({ stream: 'stdout', text: 'line\n'.repeat(5_000) })
    expect(emulator.console.list()).toHaveLength(2_000)
  })
})

describe('a live request of a proxy', () => {
  const live = (appId: string, query: string) => ({
    appId,
    url: `http://sidecard.test/?${query}`,
    startedAt: Date.parse('2026-11-21T10:00:00Z'),
    durationMs: 42,
  })

  test('is validated, marked as live, and replayed with the headers of the app', async () => {
    const { emulator, app, target } = await connect()
    await emulator.apps.update(app.id, { headers: { 'x-key': 'canary-secret-value' } })
    const body = new TextEncoder().encode(JSON.stringify(widget('canary-secret-value')))
    const query = 'request_type=fetch_data&issue_id=77&account_id=a'
    const summary = (await emulator.exchanges.record({
      ...live(app.id, query),
      response: { status: 200, headers: { 'content-type': 'application/json' }, body },
    }))!
    expect(summary).toMatchObject({
      source: 'live',
      kind: 'fetch_data',
      outcome: 'rendered',
      issueId: '77',
      at: '2026-11-21T10:00:00.000Z',
      durationMs: 42,
      customer: null,
      state: null,
    })
    expect(JSON.stringify(emulator.exchanges.get(summary.id))).not.toContain('canary')
    const replayed = await emulator.exchanges.replay(summary.id)
    expect(replayed).toMatchObject({ source: 'emulator', replayOf: summary.id })
    expect(target.requests.at(-1)?.url).toContain('issue_id=77')
    expect(target.requests.at(-1)?.headers.get('x-key')).toBe('canary-secret-value')
  })

  test('may be a handshake, or have no response', async () => {
    const { emulator, app } = await connect()
    const response = {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: new TextEncoder().encode('c1'),
    }
    const handshake = live(app.id, 'request_type=verify&code=c1')
    expect(await emulator.exchanges.record({ ...handshake, response })).toMatchObject({
      source: 'live',
      outcome: 'connected',
    })
    const failed = await emulator.exchanges.record(live(app.id, 'request_type=fetch_data'))
    expect(failed).toMatchObject({ source: 'live', outcome: 'reset', status: null })
    const invalid = { ...live(app.id, ''), url: 'widget' }
    await expect(emulator.exchanges.record(invalid)).rejects.toMatchObject({
      code: 'invalid_exchange',
    })
    await expect(emulator.exchanges.record(live('app_x', ''))).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('a request as cURL reaches the endpoint unchanged, even with special characters in its URL', async () => {
  const urls: string[] = []
  const headers: unknown[] = []
  const name = "x-o'$`key`"
  const url = await listen((incoming, outgoing) => {
    urls.push(incoming.url ?? '')
    headers.push(incoming.headers[name])
    const code = new URL(incoming.url ?? '', 'http://x').searchParams.get('code')
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(code === null ? widget('Pro') : { code }))
  })
  const emulator = createEmulator()
  await emulator.apps.create({
    name: 'Billing',
    url: `${url}a'b/[1-3]{x,y}?own[]='"$HOME`,
    headers: { [name]: 'value' },
  })
  const { widgets } = await emulator.issues.open('iss_1042', {
    params: { account_id: `'; touch /tmp/x; echo "$(id)" \`id\` [1-9] {a,b}` },
  })
  const { curl } = emulator.exchanges.get(widgets[0]?.exchangeId ?? '')
  expect(curl).not.toContain('value')
  const env = { ...process.env, X_O___KEY_: 'value' }
  await promisify(execFile)('sh', ['-c', `${curl} --silent`], { env })
  expect(urls).toHaveLength(3)
  expect(urls[2]).toBe(urls[1])
  expect(headers).toEqual(['value', 'value', 'value'])
})
