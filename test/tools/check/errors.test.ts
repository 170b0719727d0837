import { describe, expect, it } from 'vitest'
import { HEADERS } from '../../fixtures/endpoints/reference.ts'
import { checkInProcess, dataWith, findingLines, findResult, json, payload } from './in-process.ts'
import type { Answer, Received } from './in-process.ts'

const text = (value: string) => ({ type: 'text', label: 'Note', value })
const isOwner = ({ request }: Received) => request.headers.get('x-key') === HEADERS['x-key']

/** Checks only for stack traces in the response to a handshake that failed. */
const checkError = (body: string) =>
  checkInProcess(
    { verify: () => new Response(body, { status: 400 }) },
    { profile: 'production', samples: 1, only: ['errors-stack'] },
  )

describe('a stack trace in an error response is found', () => {
  it.each([
    'meet at noon (room 12:30)',
    'at 10:30:00',
    'File "report.pdf", page 3',
    'at work (see Main.java)',
    'released in version 3:line up',
    '#42 in the list',
    'a .rb:42 file',
    'a goroutine 17 [a',
    'at home line 3',
    'panicked at noon',
    'Uncaught joy in a bottle',
  ])('but not in ordinary text: %s', async (body) => {
    const report = await checkError(body)
    expect(findingLines(report)).toEqual([])
  })

  it.each(['https://example.com/a:b@c', 'Password: required; server: busy', 'jo@host=db'])(
    'a password of a server is not found in %s',
    async (body) => expect(findingLines(await checkError(body))).toEqual([]),
  )

  const TRACE = 'Error: no\n    at handler (/app/src/app.ts:12:9)'

  it.each<readonly [string, Answer | undefined, Answer | undefined, readonly string[]]>([
    [
      'of a data fetch without IDs',
      (received) =>
        received.params.has('account_id')
          ? json(payload(received))
          : json(payload(received, [text(TRACE)])),
      undefined,
      [
        'fail | errors-stack | components[1].value | data fetch without IDs: shows a stack trace (JavaScript)',
      ],
    ],
    [
      'of a failed handshake',
      undefined,
      ({ code, count }) => (count === 2 ? json({ error: TRACE }, 500) : json({ code })),
      [
        'fail | handshake-consistent | 1 of 5 handshakes failed; handshake 2: returned 500, expected 200',
        'fail | errors-stack | error | handshake 2: shows a stack trace (JavaScript)',
      ],
    ],
    [
      'that every data fetch shows as content, which is not found',
      (received) => json(payload(received, [text(TRACE)])),
      undefined,
      ['warn | text-error-message | components[1].value | contains a stack trace'],
    ],
  ])('%s', async (_name, data, verify, findings) => {
    const report = await checkInProcess({ ...(data && { data }), ...(verify && { verify }) })
    expect(findingLines(report)).toEqual(findings)
  })

  it('to an unauthenticated caller', async () => {
    const report = await checkInProcess({
      authorized: () => true,
      data: (received) => (isOwner(received) ? json(payload(received)) : json(TRACE, 401)),
      verify: (received) => json({ code: received.code }, isOwner(received) ? 200 : 401),
    })
    expect(findingLines(report)).toEqual([
      'fail | errors-stack | body | data fetch without the headers: shows a stack trace (JavaScript)',
    ])
  })
})

describe('the error behind a failure', () => {
  const details = (value: unknown) => `:${btoa(JSON.stringify([value]))}:`

  it.each([
    ['    at load (/app/src/app.ts:12:9)', 'load (/app/src/app.ts:12:9)'],
    [
      '    at pg (/app/node_modules/pg/index.js:1:1)\n  at load (/app/src/db.ts:3:1)\n at x (/app/a.ts:1:1)',
      'load (/app/src/db.ts:3:1)',
    ],
    [
      'at node:internal/timers:1:1\nat Array.map (<anonymous>)\nat run (native)\nat w (/x/.wrangler/tmp/a.js:1:1)\nat /app/a.ts:3',
      '/app/a.ts:3',
    ],
    [
      'error at once (/app/message.ts:1:1)\n    at somewhere\n    at own (/app/b.ts:2:2)',
      'own (/app/b.ts:2:2)',
    ],
    ['    at node:fs:1:1', undefined],
    [undefined, undefined],
  ])('is located in the own code: %j', async (stack, frame) => {
    const report = await checkInProcess(
      {
        data: dataWith({
          'x-sidecard-failure': 'callback_failed',
          'x-sidecard-trace': 'abc',
          'x-sidecard-error': details({
            kind: 'callback_failed',
            error: {
              name: 'Error',
              message: 'db down',
              ...(stack !== undefined && { stack: `Error: db down\n${stack}` }),
            },
          }),
        }),
      },
      { profile: 'production', samples: 1 },
    )
    const at = frame === undefined ? '' : `; at ${frame}`
    expect(findingLines(report)).toEqual([
      `warn | data-failure | 47 of 47 data fetches failed, also when they were repeated: data fetch 1, data fetch for made-up customer 1 and 45 more; callback_failed: fetchData failed: db down (trace ID abc)${at}`,
    ])
    expect(report.failures.slice(0, 1)).toEqual([
      {
        request: 'data fetch 1',
        kind: 'callback_failed',
        stale: false,
        traceId: 'abc',
        error: { name: 'Error', message: 'db down', ...(frame !== undefined && { frame }) },
      },
    ])
  })

  it('has the fix of the first validation issue', async () => {
    const issue = {
      path: 'components[0].label',
      code: 'required',
      message: 'is missing',
      fix: 'Add a label.',
    }
    const report = await checkInProcess(
      {
        data: dataWith({
          'x-sidecard-failure': 'invalid_payload;component=0, section_failed;component=1;stale',
          'x-sidecard-error': details({
            kind: 'invalid_payload',
            section: 'Plan',
            component: 0,
            error: { name: 'E', message: 'invalid', issues: [issue] },
          }),
        }),
      },
      { profile: 'production', samples: 1 },
    )
    expect(report.failures.slice(0, 2)).toEqual([
      {
        request: 'data fetch 1',
        kind: 'invalid_payload',
        section: 'Plan',
        component: 0,
        stale: false,
        error: { name: 'E', message: 'invalid' },
      },
      { request: 'data fetch 1', kind: 'section_failed', component: 1, stale: true },
    ])
    const { status, findings } = findResult(report, 'data-failure')
    expect(status).toBe('warn')
    expect(findings.map(({ path, fix }) => [path, fix])).toEqual([
      ['components[0]', 'Add a label.'],
      [
        'components[1]',
        'Search the endpoint’s log for the trace ID. On your own machine, start the endpoint with SIDECARD_DEV=1 to see the error here.',
      ],
    ])
  })
})
