import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestApp, VERIFY } from '../../helpers/app.ts'

const CODES = [
  'c0de',
  'a+b',
  'a b',
  'a%2Bb',
  'a&b=c',
  '日本',
  '🙂',
  '"quoted"',
  '<script>',
  '\u2028',
  'x'.repeat(512),
  '\n',
]

test('returns the JSON form with exactly one field', async () => {
  const response = await createTestApp().request(VERIFY)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('{"code":"c0de"}')
})

test('returns the text form with exactly the code', async () => {
  const response = await createTestApp({ handshake: 'text' }).request(VERIFY)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect(await response.text()).toBe('c0de')
})

test.each(CODES)('returns the code %j in both forms', async (code) => {
  const path = `/?${new URLSearchParams({ request_type: 'verify', code })}`
  expect(await (await createTestApp().request(path)).json()).toEqual({ code })
  expect(await (await createTestApp({ handshake: 'text' }).request(path)).text()).toBe(code)
})

test('does not mix up the codes of concurrent handshakes', async () => {
  const app = createTestApp()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
        minLength: 2,
        maxLength: 8,
      }),
      async (codes) => {
        const responses = await Promise.all(
          codes.map(async (code) => {
            const response = await app.request(
              `/?${new URLSearchParams({ request_type: 'verify', code })}`,
            )
            return response.json()
          }),
        )
        expect(responses).toEqual(codes.map((code) => ({ code: code.toWellFormed() })))
      },
    ),
    { numRuns: 50 },
  )
})

test('does not call fetchData', async () => {
  let calls = 0
  await createTestApp({ fetchData: () => ((calls += 1), []) }).request(VERIFY)
  expect(calls).toBe(0)
})
