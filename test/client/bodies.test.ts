import { expect, test } from 'vitest'
import { createScriptedClient } from '../helpers/scripted-api.ts'

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
