import { expect, test } from 'vitest'
import { catchError, createScriptedClient } from '../../helpers/scripted-api.ts'

/** A response whose body arrives in chunks of the given size. */
function chunked(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text)
  let start = 0
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (start >= bytes.length) return controller.close()
        controller.enqueue(bytes.slice(start, start + size))
        start += size
      },
    }),
  )
}

test('reads a complete body of several megabytes', async () => {
  const users = Array.from({ length: 20_000 }, (_, index) => ({
    id: `usr_${index}`,
    name: 'é'.repeat(40),
  }))
  const { client } = createScriptedClient([() => chunked(JSON.stringify({ data: users }), 65_536)])
  const { data } = await client.users.list()
  expect(data).toHaveLength(20_000)
  expect(data.at(-1)).toEqual(users.at(-1))
})

test.each([1, 2, 3, 5])('joins characters that are split into chunks of %i bytes', async (size) => {
  const name = 'aé日😀\u0301'
  const { client } = createScriptedClient([
    () => chunked(JSON.stringify({ data: [{ id: '1', name }] }), size),
  ])
  expect((await client.users.list()).data).toEqual([{ id: '1', name }])
})

const INVALID_UTF8 = new Uint8Array([
  ...new TextEncoder().encode('{"data":[{"id":"caf'),
  0xe9,
  34,
  125,
  93,
  125,
])

test('rejects a body that is not UTF-8, instead of changing its text', async () => {
  const { client } = createScriptedClient([() => new Response(INVALID_UTF8)])
  const error = await catchError(client.users.list())
  expect(error).toMatchObject({ code: 'invalid_response', status: 200 })
  expect(error.message).toBe('GET /users: the response is not valid UTF-8.')
})

test('reports the status of an error whose body is not UTF-8', async () => {
  const { client } = createScriptedClient([() => new Response(INVALID_UTF8, { status: 400 })])
  const error = await catchError(client.users.list())
  expect(error).toMatchObject({
    code: 'api_error',
    status: 400,
    body: '{"data":[{"id":"caf\uFFFD"}]}',
  })
})

test('accepts U+FFFD that the API sent', async () => {
  const { client } = createScriptedClient([() => chunked('{"data":[{"id":"\uFFFD"}]}', 1)])
  expect((await client.users.list()).data).toEqual([{ id: '\uFFFD' }])
})

test('reports a body with half a character at the 64 KiB limit as an error of the API', async () => {
  const { client } = createScriptedClient([
    () => new Response(`${'x'.repeat(65_535)}é`, { status: 400 }),
  ])
  const { code, body } = await catchError(client.users.list())
  expect([code, body.slice(0, 65_535)]).toEqual(['api_error', 'x'.repeat(65_535)])
})
