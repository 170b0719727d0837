import { describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'
import { TOKEN_HEADER } from '../../../src/tools/emulator/protocol/workspace.ts'
import { start } from './control.ts'

describe('a rejected control request', () => {
  interface Sent {
    readonly method?: string
    readonly body?: string
    readonly headers?: Readonly<Record<string, string>>
  }

  const cases: ReadonlyArray<
    readonly [path: string, sent: Sent, status: number, code: string, detail: string]
  > = [
    ['nonsense', {}, 404, 'not_found', 'Unknown control route.'],
    ['issues/nope', {}, 404, 'not_found', 'No issue has this ID.'],
    ['exchanges/nope', {}, 404, 'not_found', 'This request is no longer in the log.'],
    ['apps/nope/check', { method: 'POST' }, 404, 'not_found', 'No app has this ID.'],
    [
      'issues/iss_1042/widgets/nope/load',
      { method: 'POST', body: '{}' },
      404,
      'not_found',
      'No widget has this ID.',
    ],
    [
      'issues/iss_1042/open',
      { method: 'POST', body: '{"state":"nope"}' },
      404,
      'not_found',
      'The project has no state with this name.',
    ],
    ['reset', { method: 'POST', body: '{' }, 400, 'invalid_json', 'The body is not JSON.'],
    [
      'reset',
      { method: 'POST', body: '{"dataset":"large"}' },
      400,
      'invalid_options',
      'emulator.reset: there is no option "dataset". The options are keepApps.',
    ],
    [
      'reset',
      { method: 'POST', body: '['.repeat(65) },
      400,
      'invalid_json',
      'The JSON is nested more than 64 levels deep.',
    ],
    [
      'reset',
      { method: 'POST', body: '['.repeat(64) },
      400,
      'invalid_json',
      'The body is not JSON.',
    ],
    [
      'reset',
      { method: 'POST', body: '{}', headers: { 'content-type': 'text/json' } },
      415,
      'unsupported_media_type',
      'Send the body as application/json.',
    ],
    [
      'reset',
      { method: 'POST', body: ' '.repeat(1_048_577) },
      413,
      'body_too_large',
      'The body must not exceed 1 MiB.',
    ],
    ...['[]', 'null', '7', '"x"'].map(
      (body) =>
        [
          'reset',
          { method: 'POST', body },
          400,
          'invalid_body',
          'The body must be an object.',
        ] as const,
    ),
    [
      'apps/nope/check',
      { method: 'POST', body: '{"issueId":{"a":1}}' },
      404,
      'not_found',
      'No app has this ID.',
    ],
    [
      'state',
      { headers: { [TOKEN_HEADER]: 'x' } },
      401,
      'wrong_token',
      'The session token is invalid. Reload the page.',
    ],
  ]

  test.each(cases)('%s is a problem response', async (path, sent, status, code, detail) => {
    const { url, token } = await start()
    const response = await fetch(`${url}/-/${path}`, {
      ...sent,
      headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json', ...sent.headers },
    })
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Rejected',
      status,
      code,
      detail,
    })
  })

  test('because of an internal error does not repeat its message', async () => {
    const emulator = createEmulator({
      codes: () => {
        throw new RangeError('canary')
      },
    })
    const page = await (await emulator.fetch(`${emulator.url}/`)).text()
    const token = /name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
    const response = await emulator.fetch(`${emulator.url}/-/apps`, {
      method: 'POST',
      headers: { [TOKEN_HEADER]: token, 'content-type': 'application/json; charset=utf-8' },
      body: '{"name":"x","url":"http://localhost:1/"}',
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal error',
      status: 500,
      code: 'emulator_failed',
      detail: 'Internal emulator error (RangeError).',
    })
  })

  test.each([
    [
      { host: 'evil.example' },
      421,
      'wrong_host',
      'The Host header does not match this emulator. Open the URL that it printed.',
    ],
    [{ origin: 'null' }, 403, 'wrong_origin', 'Cross-origin requests are not allowed.'],
    [
      { origin: 'https://localhost' },
      403,
      'wrong_origin',
      'Cross-origin requests are not allowed.',
    ],
    [{ 'sec-fetch-site': 'cross-site' }, 403, 'cross_site', 'Cross-site requests are not allowed.'],
    [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      403,
      'cross_site',
      'Cross-site requests are not allowed.',
    ],
  ])('because of %j says why', async (headers, status, code, message) => {
    const emulator = createEmulator()
    const request = new Request(`${emulator.url}/docs`)
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
    const response = await emulator.fetch(request)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.json()).toEqual({ errors: [{ code, message }] })
  })

  test('with a method other than GET is not a navigation', async () => {
    const emulator = createEmulator()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const send = async (method: string, site: string) => {
      const url = `${emulator.url}/docs`
      return (
        await emulator.fetch(url, { method, headers: { ...headers, 'sec-fetch-site': site } })
      ).status
    }
    expect(await send('POST', 'cross-site')).toBe(403)
    expect(await send('GET', 'cross-site')).toBe(200)
    expect(await send('POST', 'same-origin')).toBe(404)
  })
})

test('responses of the control routes are not cached', async () => {
  const { control } = await start()
  expect((await control('state')).headers.get('cache-control')).toBe('no-store')
})
