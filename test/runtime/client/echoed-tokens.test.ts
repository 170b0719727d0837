import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catchError, createScriptedClient, json } from '../../helpers/scripted-api.ts'

/** Returns all visible parts of an error. */
function inspectEverything(error: any): string {
  const own = Object.getOwnPropertyNames(error).map((name) => JSON.stringify(error[name]))
  return [String(error), error.stack, error.body, JSON.stringify(error), ...own].join('\n')
}

async function catchResponseError(body: string, accessToken: string) {
  const { client } = createScriptedClient([() => new Response(body, { status: 400 })], {
    accessToken,
  })
  return catchError(client.users.list())
}

/** Returns the longest part of the secret in a text. */
function longestLeak(text: string, secret: string): number {
  let longest = 0
  for (let start = 0; start < secret.length; start += 1) {
    while (
      start + longest < secret.length &&
      text.includes(secret.slice(start, start + longest + 1))
    ) {
      longest += 1
    }
  }
  return longest
}

const randomToken = (length: number) =>
  Array.from({ length }, (_, index) =>
    String.fromCharCode(33 + ((index * 7919 + (index >> 5)) % 94)),
  ).join('')

describe('a token that the API echoes', () => {
  test.each([4, 5, 6, 7, 30, 3_689, 3_690, 4_000, 10_000])(
    'is hidden if it has %i characters',
    async (length) => {
      const token = randomToken(length)
      for (const body of [token, `{"message":${JSON.stringify(`bad ${token} !`)}}`]) {
        // oxlint-disable-next-line no-await-in-loop -- each body is its own case
        const error = await catchResponseError(body, token)
        expect(longestLeak(JSON.stringify([error.body, error.errors]), token)).toBeLessThan(
          Math.min(7, length),
        )
        expect(error.name).toBe('ApiError')
      }
    },
  )

  test('is hidden in linear time', async () => {
    const duration = async (length: number) => {
      const token = 'a'.repeat(length - 1) + 'b'
      const started = performance.now()
      const error = await catchResponseError('a'.repeat(60_000) + token, token)
      expect(error.body).not.toContain('aaaaaaa')
      return performance.now() - started
    }
    await duration(1_000)
    expect(await duration(1_000_000)).toBeLessThan(10_000)
  })

  test('is hidden where a truncated body ends in the middle of it', async () => {
    const token = randomToken(40)
    for (let visible = 1; visible <= 40; visible += 1) {
      const body = '~'.repeat(64 * 1024 - visible) + token
      // oxlint-disable-next-line no-await-in-loop -- each cut is its own case
      const error = await catchResponseError(body, token)
      expect(longestLeak(error.body.slice(-visible), token)).toBeLessThan(7)
    }
  })

  test('is hidden in any case, inside longer words, in parts, and more than once', async () => {
    const token = 'Tok-Canary-5b1fXY'
    const error = await catchResponseError(
      `x${token}y ${token.toUpperCase()} ${token.toLowerCase()}${token} ${token.slice(2)} ${token.slice(0, -3)}`,
      token,
    )
    expect(error.body.toLowerCase()).not.toContain('canary')
    expect(error.body).toContain('x[hidden]y')
  })

  test('of five characters or fewer is hidden only as a word', async () => {
    const error = await catchResponseError('a cat, concatenate, CAT', 'cat')
    expect(error.body).toBe('a [hidden], concatenate, [hidden]')
  })

  test('is hidden in any mixture of escapes', async () => {
    const token = 'ab+c/d"e\\f==&<x>'
    const escapes: ReadonlyArray<(character: string) => string> = [
      (character) => JSON.stringify(character).slice(1, -1),
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      (character) => `&#${character.charCodeAt(0)};`,
      (character) => `&#x${character.charCodeAt(0).toString(16)};`,
      (character) =>
        ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? character,
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...escapes), { minLength: token.length, maxLength: token.length }),
        async (chosen) => {
          const echoed = Array.from(token, (character, index) => chosen[index]!(character)).join('')
          const error = await catchResponseError(`before ${echoed} after`, token)
          expect(error.body).toBe('before [hidden] after')
        },
      ),
      { numRuns: 100 },
    )
  })

  test('is hidden in JSON in JSON', async () => {
    const token = 'ab/c"d\\e+f=='
    const twice = JSON.stringify(JSON.stringify({ token }))
    const error = await catchResponseError(JSON.stringify({ message: twice }), token)
    expect(inspectEverything(error)).not.toMatch(/ab\/c|ab\\\/c|e\+f==/)
  })

  test('does not change the rest of the body', async () => {
    const body = '{"message":"50% of \\u00e9t\\u00e9 &amp; \\"more\\"", "a": "İ"}'
    expect((await catchResponseError(body, 'unrelated-token')).body).toBe(body)
  })
})

test('the value of a secret header is hidden like the token', async () => {
  const { client } = createScriptedClient(
    [json({ message: 'bad key canary-key-1 in application/json', code: 'canary-key-2' }, 403)],
    {
      headers: {
        'x-api-key': 'canary-key-1',
        'x-other': 'canary-key-2',
        'x-tier': 'bad key',
        accept: 'application/json',
      },
    },
  )
  const error = await catchError(client.users.list())
  expect(inspectEverything(error)).not.toMatch(/canary-key-[12]/)
  // Short values are not secrets.
  expect(error.errors).toEqual([{ message: 'bad key [hidden] in [hidden]', code: '[hidden]' }])
})

test.each(['tok-canary-5b1f/+=', 'tok"canary"5b1f""', 'tok-canary-<<<<&&&&'])(
  'the token %s is hidden whole, also where a text ends with its last escape',
  async (token) => {
    const html = token.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    for (const echoed of [token, encodeURIComponent(token), html]) {
      const { body } = await catchResponseError(`bad ${echoed}`, token)
      expect(body).toBe('bad [hidden]')
      expect((await catchResponseError(`${echoed} is bad`, token)).body).toBe('[hidden] is bad')
    }
  },
)
