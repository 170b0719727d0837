import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { connect } from './helpers.ts'
import { recorded, SECRET } from './recorded.ts'

interface Har {
  readonly log: {
    readonly version: string
    readonly entries: ReadonlyArray<{
      readonly startedDateTime: string
      readonly time: number
      readonly request: {
        readonly method: string
        readonly url: string
        readonly headers: readonly { readonly name: string; readonly value: string }[]
        readonly queryString: readonly { readonly name: string; readonly value: string }[]
      }
      readonly response: {
        readonly status: number
        readonly headers: readonly { readonly name: string; readonly value: string }[]
        readonly content: {
          readonly size: number
          readonly mimeType: string
          readonly text?: string
        }
      }
    }>
  }
}

describe('a HAR export', () => {
  test('is anonymized by default', async () => {
    const emulator = await recorded()
    const har = (await emulator.exchanges.exportHar()) as Har
    const text = JSON.stringify(har)
    for (const personal of [
      'maria',
      'northwind',
      'acc_northwind',
      'usr_maria',
      'own-secret',
      SECRET,
    ]) {
      expect(text).not.toContain(personal)
    }
    const entry = har.log.entries.at(-1)
    expect(har.log.version).toBe('1.2')
    expect(entry?.request.headers).toEqual([{ name: 'x-key', value: '[hidden]' }])
    expect(entry?.response.headers.map(({ name }) => name)).toEqual([
      'content-type',
      'x-sidecard-cache',
    ])
    expect(entry?.response.content.text).toContain('person1@example.com')
    expect(entry?.request.queryString).toContainEqual({
      name: 'requester_email',
      value: 'person1@example.com',
    })
  })

  test('survives a body that is nested too deep for recursion', async () => {
    const body = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const { emulator, app, open } = await connect({ data: () => new Response(body) })
    await open()
    const url = 'https://example.com/page'
    await emulator.exchanges.record({ appId: app.id, url, startedAt: 0, durationMs: 1 })
    const { log } = (await emulator.exchanges.exportHar()) as Har
    expect(log.entries).toHaveLength(3)
    expect(log.entries.at(-1)?.response.content.text).toHaveLength(body.length)
  })

  test('lists the titles that were kept', async () => {
    const emulator = await recorded()
    const { log } = (await emulator.exchanges.exportHar()) as { log: { comment?: string } }
    expect(log.comment).toMatch(/^Titles that were kept: "/)
    const whole = (await emulator.exchanges.exportHar({ anonymize: false })) as { log: object }
    expect(whole.log).not.toHaveProperty('comment')
  })

  test('anonymizes the status text and the headers, and pauses for other requests', async () => {
    const { emulator, open } = await connect({
      data: () =>
        new Response('{}', {
          status: 500,
          statusText: 'no ada.lovelace@example.com',
          headers: { 'content-type': 'text/ada.lovelace@example.com' },
        }),
    })
    for (let count = 0; count < 30; count += 1) {
      // oxlint-disable-next-line no-await-in-loop -- more requests than one batch
      await open()
    }
    const finished: string[] = []
    const exporting = emulator.exchanges.exportHar().then((har) => {
      finished.push('export')
      return har
    })
    const timer = new Promise<void>((resolve) => setTimeout(resolve)).then(() =>
      finished.push('other'),
    )
    const [har] = await Promise.all([exporting, timer])
    expect(JSON.stringify(har)).not.toContain('lovelace')
    expect(finished).toEqual(['other', 'export'])
  })

  test('is complete on request, without header values of the app', async () => {
    const emulator = await recorded()
    const har = (await emulator.exchanges.exportHar({ anonymize: false })) as Har
    const text = JSON.stringify(har)
    expect(text).toContain('maria.anders@northwind.example')
    expect(text).not.toContain(SECRET)
    const starts = har.log.entries.map(({ startedDateTime }) => startedDateTime)
    expect(starts).toEqual(starts.toSorted())
  })

  test('keeps the order of requests of the same millisecond', async () => {
    const emulator = await recorded({ now: () => 1_795_000_000_000 })
    const { entries } = ((await emulator.exchanges.exportHar({ anonymize: false })) as Har).log
    const sent = entries.map(({ request }) => new URL(request.url).searchParams.get('request_type'))
    expect(sent).toEqual(['verify', 'verify', 'fetch_data'])
  })

  test('has every field that HAR 1.2 requires, with and without a response', async () => {
    let isDown = false
    const { emulator, open } = await connect({
      data: () => {
        if (isDown) throw new Error('down')
        return new Response('{"a":1}', {
          statusText: 'Fine',
          headers: { 'content-type': 'application/json', 'x-own': '1' },
        })
      },
    })
    await open()
    isDown = true
    await open()
    const { version } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string }
    const [failed, answered] = emulator.exchanges.list()
    const request = (logged: typeof failed) => {
      const { url, parameters } = emulator.exchanges.get(logged?.id ?? '').request
      return {
        method: 'GET',
        url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        queryString: parameters.map(([name, value]) => ({ name, value })),
        headersSize: -1,
        bodySize: 0,
      }
    }
    const entry = (logged: typeof failed) => ({
      startedDateTime: logged?.at,
      time: logged?.durationMs,
      request: request(logged),
      cache: {},
      timings: { send: 0, wait: logged?.durationMs, receive: 0 },
      _sidecard: { kind: 'fetch_data', source: 'emulator', outcome: logged?.outcome, urlNumber: 0 },
    })
    const ids = [failed?.id ?? '', answered?.id ?? '']
    expect(await emulator.exchanges.exportHar({ ids, anonymize: false })).toEqual({
      log: {
        version: '1.2',
        creator: { name: 'sidecard', version },
        entries: [
          {
            ...entry(answered),
            response: {
              status: 200,
              statusText: 'Fine',
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [
                { name: 'content-type', value: 'application/json' },
                { name: 'x-own', value: '1' },
              ],
              content: { size: 7, mimeType: 'application/json', text: '{"a":1}' },
              redirectURL: '',
              headersSize: -1,
              bodySize: 7,
            },
          },
          {
            ...entry(failed),
            response: {
              status: 0,
              statusText: '',
              httpVersion: 'HTTP/1.1',
              cookies: [],
              headers: [],
              content: { size: 0, mimeType: '' },
              redirectURL: '',
              headersSize: -1,
              bodySize: -1,
              _error: 'the app threw instead of returning a response (it threw Error)',
            },
          },
        ],
      },
    })
  })

  test('of a handshake has no code, and a header without a placeholder is removed', async () => {
    const emulator = await recorded()
    const { entries } = ((await emulator.exchanges.exportHar()) as Har).log
    const [handshake] = entries.slice(-2)
    expect(handshake?.request.url).toBe(
      'http://sidecard.test/?token=%5Bhidden%5D&request_type=verify&code=code',
    )
  })

  test.each(['null', 'undefined', 'None', 'nil', 'NaN'])(
    'shows that a program printed %s for an absent ID',
    async (text) => {
      const { emulator, open } = await connect()
      await open({ params: { account_id: text, requester_id: 'usr_secret' } })
      const { entries } = ((await emulator.exchanges.exportHar()) as Har).log
      const sent = new URL(entries.at(-1)?.request.url ?? '').searchParams
      expect(sent.get('account_id')).toBe(text)
      expect(sent.get('requester_id')).not.toBe('usr_secret')
    },
  )

  test('can be limited to chosen requests', async () => {
    const emulator = await recorded()
    const [newest] = emulator.exchanges.list()
    const ids = [newest?.id ?? '']
    expect(((await emulator.exchanges.exportHar({ ids })) as Har).log.entries).toHaveLength(1)
    await expect(emulator.exchanges.exportHar({ ids: ['exc_gone'] })).rejects.toThrow(
      'no longer in the log',
    )
  })
})
