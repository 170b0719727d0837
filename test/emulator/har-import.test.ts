import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { endpoint, widget } from './helpers.ts'
import { recorded } from './recorded.ts'

describe('a HAR import', () => {
  test('restores the exported requests, validated again and marked as imported', async () => {
    const source = await recorded()
    const har = await source.exchanges.exportHar({ anonymize: false })
    const emulator = createEmulator()
    const { imported, skipped } = await emulator.exchanges.importHar(har)
    expect(skipped).toBe(0)
    const before = source.exchanges.list().toReversed()
    expect(
      imported.map(({ kind, outcome, status, at }) => ({ kind, outcome, status, at })),
    ).toEqual(before.map(({ kind, outcome, status, at }) => ({ kind, outcome, status, at })))
    expect(
      imported.every(({ appId, ...line }) => appId === null && line.source === 'imported'),
    ).toBe(true)
    expect(imported.at(-1)).toMatchObject({ issueId: 'iss_1042', cache: 'hit' })
  })

  test('restores an anonymized handshake as connected', async () => {
    const source = await recorded()
    const har = await source.exchanges.exportHar()
    const { imported } = await createEmulator().exchanges.importHar(har)
    expect(imported.map(({ outcome }) => outcome)).toEqual(['connected', 'connected', 'rendered'])
  })

  test('is only replayed to the connected app, with its headers and URL', async () => {
    const source = await recorded()
    const har = await source.exchanges.exportHar({ anonymize: false })
    const emulator = createEmulator()
    const { imported } = await emulator.exchanges.importHar(har)
    const id = imported.at(-1)?.id ?? ''
    await expect(emulator.exchanges.replay(id)).rejects.toMatchObject({ code: 'not_connected' })

    const target = endpoint()
    const url = 'http://localhost:1/own'
    const app = await emulator.apps.create({
      name: 'Mine',
      url,
      target,
      headers: { 'x-key': 'mine' },
    })
    const replayed = await emulator.exchanges.replay(id)
    expect(replayed).toMatchObject({ appId: app.id, source: 'emulator', replayOf: id })
    const sent = target.requests.at(-1)
    expect(sent?.url).toMatch(/^http:\/\/localhost:1\/own\?request_type=fetch_data&app_id=/)
    expect(sent?.url).not.toContain('token')
    expect(sent?.headers.get('x-key')).toBe('mine')

    const other = await emulator.apps.create({ name: 'Other', target: endpoint() })
    await expect(emulator.exchanges.replay(id)).rejects.toMatchObject({ code: 'app_required' })
    expect(await emulator.exchanges.replay(id, { appId: other.id })).toMatchObject({
      appId: other.id,
    })
    emulator.apps.disconnect(other.id)
    await expect(emulator.exchanges.replay(id, { appId: other.id })).rejects.toMatchObject({
      code: 'not_connected',
    })
  })

  const entry = (
    url: string,
    status: unknown = 200,
    content: object = { text: JSON.stringify(widget('x')) },
  ) => ({
    startedDateTime: '2026-11-21T10:00:00Z',
    time: 5,
    request: { method: 'GET', url },
    response: { status, statusText: '', headers: [], content },
  })

  test('skips entries that are not requests of the service', async () => {
    const emulator = createEmulator()
    const entries = [
      entry('https://example.com/app.js'),
      entry('javascript:alert(1)?request_type=fetch_data'),
      entry('nonsense'),
      {
        ...entry('https://example.com/?request_type=fetch_data'),
        request: { method: 'POST', url: 'https://example.com/?request_type=fetch_data' },
      },
      { ...entry('https://example.com/?request_type=fetch_data'), startedDateTime: 'yesterday' },
    ]
    const result = await emulator.exchanges.importHar({ log: { entries } })
    expect(result).toEqual({ imported: [], skipped: 5 })
  })

  test('handles hostile entries and removes passwords from URLs', async () => {
    const emulator = createEmulator()
    const url = 'https://user:canary@example.com/?request_type=fetch_data'
    const entries = [
      entry(url, 0),
      entry(url, 99_999),
      entry(url, 204),
      {
        ...entry(url),
        response: {
          ...entry(url).response,
          headers: [
            { name: 'a b', value: 'x' },
            { name: 'set-cookie', value: 'x\r\ny' },
          ],
        },
      },
      entry(url, 200, { text: 'e30=', encoding: 'base64' }),
      entry(url, 200, { text: '***', encoding: 'base64' }),
      entry(url, 200, {}),
    ]
    const { imported } = await emulator.exchanges.importHar({ log: { entries } })
    expect(imported).toHaveLength(entries.length)
    expect(JSON.stringify(imported.map(({ id }) => emulator.exchanges.get(id)))).not.toContain(
      'canary',
    )
  })

  test.each([
    ['', 'Invalid input: expected object, received null', null],
    ['', 'Invalid input: expected object, received array', []],
    ['log', 'Invalid input: expected object, received undefined', {}],
    ['log.entries', 'Invalid input: expected array, received undefined', { log: {} }],
    [
      'log.entries[0].time',
      'Invalid input: expected number, received string',
      { log: { entries: [{ ...entry('https://example.com/'), time: '5' }] } },
    ],
    [
      'log.entries',
      'a document may have at most 1000 entries',
      { log: { entries: Array.from({ length: 1_001 }, () => entry('https://example.com/')) } },
    ],
  ])('rejects a file that is not a HAR document: %s %s', async (path, message, value) => {
    await expect(createEmulator().exchanges.importHar(value)).rejects.toMatchObject({
      code: 'invalid_har',
      message: `This is not a HAR 1.2 document. ${path === '' ? '' : `${path}: `}${message}.`,
    })
  })

  test('keeps the order of handshakes and data fetches, and imports nothing while paused', async () => {
    const types = ['fetch_data', 'verify', 'fetch_data', 'verify', 'verify', 'fetch_data']
    const entries = types.map((type) => entry(`https://example.com/?request_type=${type}&code=c`))
    const emulator = createEmulator()
    const { imported } = await emulator.exchanges.importHar({ log: { entries } })
    expect(imported.map(({ kind }) => kind)).toEqual(types)
    expect(emulator.exchanges.list()).toEqual(imported.toReversed())
    emulator.exchanges.clear()
    emulator.exchanges.paused = true
    await emulator.exchanges.importHar({ log: { entries } })
    expect(emulator.exchanges.list()).toEqual([])
  })

  test('maps no stack of another machine to the sources of this project', async () => {
    const stack = 'Error: x\n    at f (src/app.ts:1:1)'
    const error = { name: 'Error', message: 'x', stack }
    const detail = btoa(JSON.stringify([{ kind: 'callback_failed', error }]))
    const failed = entry('https://example.com/?request_type=fetch_data')
    const headers = [
      { name: 'x-sidecard-failure', value: 'callback_failed' },
      { name: 'x-sidecard-error', value: `:${detail}:` },
    ]
    const emulator = createEmulator({ projectDir: process.cwd() })
    const { imported } = await emulator.exchanges.importHar({
      log: { entries: [{ ...failed, response: { ...failed.response, headers } }] },
    })
    expect(imported[0]?.failures[0]?.error).toMatchObject({ stack, location: null })
  })

  test('accepts 1,000 entries', async () => {
    const entries = Array.from({ length: 1_000 }, () => entry('https://example.com/'))
    expect(await createEmulator().exchanges.importHar({ log: { entries } })).toEqual({
      imported: [],
      skipped: 1_000,
    })
  })

  test('shows each entry as the service would have seen it', async () => {
    const emulator = createEmulator()
    const base = 'https://user:pw@example.com:8443/a/b?own=1'
    const data = `${base}&request_type=fetch_data&issue_id=iss_7&widget_id=wid_7`
    const verify = `${base}&request_type=verify&code=c1`
    const typed = (value: string, url: string, text: string) => ({
      ...entry(url),
      time: -3,
      response: {
        ...entry(url, 200, { text }).response,
        statusText: 7,
        headers: [{ name: 'Content-Type', value }],
      },
    })
    const entries = [
      typed('application/json', data, JSON.stringify(widget('Pro'))),
      entry(data, 200, { text: btoa(JSON.stringify(widget('Pro'))), encoding: 'base64' }),
      entry(data, 199),
      entry(data, 600),
      entry(data, 599),
      entry(data, 200.5),
      typed('text/plain', verify, 'c1'),
      typed('text/plain', verify, 'c2'),
    ]
    const { imported } = await emulator.exchanges.importHar({ log: { entries } })
    expect(imported.map(({ kind, outcome, status }) => [kind, outcome, status])).toEqual([
      ['fetch_data', 'rendered', 200],
      ['fetch_data', 'rendered', 200],
      ['fetch_data', 'reset', null],
      ['fetch_data', 'reset', null],
      ['fetch_data', 'status', 599],
      ['fetch_data', 'reset', null],
      ['verify', 'connected', 200],
      ['verify', 'code_differs', 200],
    ])
    const [first] = imported
    expect(first).toMatchObject({
      id: expect.stringMatching(/^exc_/),
      source: 'imported',
      appId: null,
      appName: 'example.com:8443',
      issueId: 'iss_7',
      widgetId: 'wid_7',
      scenario: null,
      presetId: null,
      hasCustomIds: false,
      group: null,
      replayOf: null,
      at: '2026-11-21T10:00:00.000Z',
      durationMs: 0,
    })
    expect(imported[1]?.durationMs).toBe(5)
    expect(emulator.exchanges.get(first?.id ?? '')).toMatchObject({
      explanation: null,
      request: {
        method: 'GET',
        url: data.replace('user:pw@', ''),
        headerNames: [],
        parameters: expect.arrayContaining([['own', '1']]),
      },
      response: { statusText: '', headers: { 'content-type': 'application/json' } },
    })
    const differs = emulator.exchanges.get(imported.at(-1)?.id ?? '')
    expect(differs.explanation?.saw).toContain('It received status 200')
    expect(differs.findings.map(({ rule }) => rule)).toEqual(['handshake-code'])
    expect(differs.failures).toEqual([])
  })
})
