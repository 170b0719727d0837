import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeApp, VERIFY } from '../helpers/app.ts'

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

test('answers in the JSON form with one field and nothing else', async () => {
  const response = await makeApp().request(VERIFY)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('{"code":"c0de"}')
})

test('answers in the text form with the code and nothing else', async () => {
  const response = await makeApp({ handshake: 'text' }).request(VERIFY)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain')
  expect(await response.text()).toBe('c0de')
})

test.each(CODES)('gives back the code %j in both forms', async (code) => {
  const path = `/?${new URLSearchParams({ request_type: 'verify', code })}`
  expect(await (await makeApp().request(path)).json()).toEqual({ code })
  expect(await (await makeApp({ handshake: 'text' }).request(path)).text()).toBe(code)
})

test('never mixes the codes of simultaneous handshakes', async () => {
  const app = makeApp()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), {
        minLength: 2,
        maxLength: 8,
      }),
      async (codes) => {
        const answers = await Promise.all(
          codes.map(async (code) => {
            const response = await app.request(
              `/?${new URLSearchParams({ request_type: 'verify', code })}`,
            )
            return response.json()
          }),
        )
        expect(answers).toEqual(codes.map((code) => ({ code: code.toWellFormed() })))
      },
    ),
    { numRuns: 50 },
  )
})

test('does not run the callback', async () => {
  let calls = 0
  await makeApp({ fetchData: () => ((calls += 1), []) }).request(VERIFY)
  expect(calls).toBe(0)
})
