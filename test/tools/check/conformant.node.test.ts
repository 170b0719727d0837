import { describe, expect, it } from 'vitest'
import { check } from 'sidecard/check'
import { exitCodeOf } from '../../../src/tools/check/report/report.ts'
import {
  endpoint,
  HEADERS,
  json,
  payload,
  SECURITY_HEADERS,
  send,
} from '../../fixtures/endpoints/reference.ts'
import type { EndpointOverrides } from '../../fixtures/endpoints/reference.ts'
import { listenConcurrently } from '../../helpers/listen.ts'
import { checkAsCommand, notEvaluated, SKIPPED_BY_DEFAULT, withFindings } from './helpers.ts'

const listen = listenConcurrently()

/** Every UTF-16 unit is an escape, which JSON allows. */
const allEscaped = (text: string) =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

const unusual: ReadonlyArray<readonly [how: string, parts: EndpointOverrides]> = [
  ['the JSON form', {}],
  [
    'the text form',
    { verify: (received) => send(received, received.code, 'text/plain; charset=utf-8') },
  ],
  [
    'media types in other letters',
    {
      verify: (received) =>
        send(received, JSON.stringify({ code: received.code }), 'Application/JSON;charset=UTF-8'),
      data: (received) =>
        send(received, JSON.stringify(payload(received)), 'APPLICATION/json ; x="y"'),
    },
  ],
  [
    'JSON with whitespace and escapes',
    {
      verify: (received) => json(received, `\r\n{ "code"\t: "${allEscaped(received.code)}" }\n`),
      data: (received) => json(received, JSON.stringify(payload(received), null, 4)),
    },
  ],
  [
    'no components',
    {
      data: (received) =>
        json(received, { version: '1.0.0', header: { title: '' }, components: [] }),
    },
  ],
  [
    'a leap second, lower case, fractions and far offsets',
    {
      data: (received) =>
        json(
          received,
          payload(
            received,
            [
              '2016-12-31T23:59:60Z',
              '1990-12-31T15:59:60-08:00',
              '2024-02-29t12:00:00.123456789z',
              '0001-01-01T00:00:00+23:59',
            ].map((value) => ({ type: 'date_time', label: '', value })),
          ),
        ),
    },
  ],
  [
    'empty cards, badges without items, long and many-lined text',
    {
      data: (received) =>
        json(
          received,
          payload(received, [
            { type: 'card', components: [] },
            { type: 'card', header: {}, components: [] },
            { type: 'badge', label: 'B', items: [] },
            { type: 'text', label: '', value: `a\nb\u0000c\u202E${'x'.repeat(50_000)}` },
          ]),
        ),
    },
  ],
  [
    'unusual URIs',
    {
      data: (received) =>
        json(
          received,
          payload(
            received,
            [
              'HTTP://EXAMPLE.com',
              'https://[2001:db8::1]:8443/',
              'https://u@example.com/a;b=c/%C3%A9?q=1/2?#f',
            ].map((url) => ({ type: 'link', label: 'L', url })),
          ),
        ),
    },
  ],
]

describe.concurrent('an endpoint that conforms in an unusual way', () => {
  it.for(unusual)('%s: passes every rule', async ([how, parts]) => {
    const report = await checkAsCommand(await listen(endpoint(parts)), { expectAuth: true })
    expect(withFindings(report).filter(({ isAdvice }) => !isAdvice)).toEqual([])
    expect(report.verdict).toBe('not_proven')
    expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(0)
    expect(notEvaluated(report)).toEqual(
      // Without components, there is no data that a rejection could contain.
      how === 'no components'
        ? SKIPPED_BY_DEFAULT.toSpliced(4, 0, 'auth-rejection-data')
        : SKIPPED_BY_DEFAULT,
    )
  })

  it('only warns about what the contract does not specify', async () => {
    const url = await listen((request, response) => {
      const params = new URL(request.url ?? '/', 'http://x').searchParams
      response.setHeader('content-type', 'application/json')
      if (params.get('request_type') === 'verify') {
        response.end(JSON.stringify({ code: params.get('code') }))
      } else {
        response.end(
          JSON.stringify({
            version: '9',
            header: {},
            extra: 1,
            components: [{ type: 'link', label: 'L', url: 'ftp://b.c/', x: 1 }],
          }),
        )
      }
    })
    const report = await check(url)
    expect(exitCodeOf(report, { allowUnproven: true })).toBe(0)
    expect(exitCodeOf(report, { strict: true, allowUnproven: true })).toBe(1)
    expect(
      report.results.filter(({ status }) => status === 'warn').map(({ rule }) => rule),
    ).toEqual([
      'unknown-fields',
      'payload-version-known',
      'payload-header-title',
      'uri-scheme',
      'errors-request-type',
      'errors-code-empty',
      'auth-none',
      'security-nosniff',
    ])
  })

  it('may be slow and handle one request at a time', async () => {
    let queue = Promise.resolve()
    const inner = endpoint()
    const url = await listen((request, response) => {
      queue = queue.then(
        () =>
          new Promise((resolve) => {
            setTimeout(() => resolve(inner(request, response)), 60)
          }),
      )
    })
    const report = await check(url, { headers: HEADERS, samples: 3 })
    expect(report.results.filter(({ status }) => status === 'fail')).toEqual([])
  })

  it('may send its responses in chunks or with a length', async () => {
    const url = await listen((request, response) => {
      const params = new URL(request.url ?? '/', 'http://x').searchParams
      const body = Buffer.from(params.get('code') ?? '')
      if (params.get('request_type') !== 'verify') {
        const text = '{"version":"1.0.0","header":{"title":"é"},"components":[]}'
        response.writeHead(200, { 'content-type': 'application/json', ...SECURITY_HEADERS })
        for (const byte of Buffer.from(text)) response.write(Buffer.of(byte))
        response.end()
        return
      }
      response.writeHead(200, {
        'content-type': 'text/plain',
        'content-length': body.length,
        ...SECURITY_HEADERS,
      })
      response.end(body)
    })
    const report = await check(url)
    expect(report.summary.fail).toBe(0)
  })
})
