import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { section, text } from 'sidecard'
import { FETCH_DATA, createTestApp } from '../../helpers/app.ts'
import { cpuMs } from '../../helpers/cpu-ms.ts'

const manyKeys = Object.fromEntries(
  Array.from({ length: 400_000 }, (_, index) => [`key${index}`, index]),
)

/** JavaScript has no cheaper look at an object, and a promise may be in it. */
function enumerationMs(): number {
  const started = process.cpuUsage()
  for (const key in manyKeys) if (key === '') break
  return cpuMs(started)
}

const HUGE: [name: string, create: () => any][] = [
  [
    'an object with 400,000 keys as a component',
    () => [{ type: 'text', label: 'a', value: manyKeys }],
  ],
  ['an object with 400,000 keys as the result', () => manyKeys],
  ['an object with 400,000 keys next to its components', () => ({ components: [], ...manyKeys })],
  [
    'a payload with 400,000 keys',
    () => ({ version: '1.0.0', header: { title: 'a' }, components: [], ...manyKeys }),
  ],
  ['a Buffer of 50 MB as a component', () => [Buffer.alloc(50_000_000)]],
  [
    'a Buffer of 50 MB as a value',
    () => [{ type: 'text', label: 'a', value: Buffer.alloc(50_000_000) }],
  ],
  ['a sparse array of three million', () => Object.assign([], { length: 3_000_000 })],
  [
    'a sparse array in a card',
    () => [{ type: 'card', components: Object.assign([], { length: 3_000_000 }) }],
  ],
  [
    'a section of three million',
    () => [section('S', () => Object.assign([], { length: 3_000_000 }))],
  ],
  ['a promise of three million', () => [Promise.resolve(Object.assign([], { length: 3_000_000 }))]],
]

test.each(HUGE)('%s is replaced in bounded time and memory', async (_name, create) => {
  const result = create()
  const app = createTestApp({ logger: false, fetchData: () => result })
  const started = process.cpuUsage()
  const response = await app.request(FETCH_DATA)
  const usedMs = cpuMs(started)
  expect(response.headers.get('x-sidecard-failure')).not.toBeNull()
  expect((await response.text()).length).toBeLessThan(2_000)
  expect(usedMs).toBeLessThan(500 + 3 * enumerationMs())
})

/** Returns arrays that contain each other twice: 2^30 entries. `read` is called for each. */
function createDoubles(read: () => void): any {
  const entry = new Proxy([null], {
    get(target, name, receiver) {
      if (name === '0') read()
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  return Array.from({ length: 30 }).reduce<any>((inner) => [inner, inner], entry)
}

test.each<[string, (value: any) => any]>([
  ['children', (value) => [value]],
  ['several children', (value) => [value, value, value]],
  ['a section', (value) => [section('S', () => value)]],
  ['a promise', (value) => [Promise.resolve(value)]],
])('nested arrays that share their entries are rejected early as %s', async (_name, create) => {
  let readCount = 0
  const value = createDoubles(() => void (readCount += 1))
  const app = createTestApp({ logger: false, fetchData: () => create(value) })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).not.toBeNull()
  expect(readCount).toBeLessThan(200_000)
})

test('the arrays of many children are counted together', async () => {
  let readCount = 0
  const list = new Proxy(Array(50_000).fill(null) as null[], {
    get(target, name, receiver) {
      if (name !== 'length') readCount += 1
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  const app = createTestApp({
    logger: false,
    fetchData: () => Array.from({ length: 50_000 }, () => list) as never,
  })
  const response = await app.request(FETCH_DATA)
  expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large')
  expect(readCount).toBeLessThan(200_000)
})

test('objects of a rejected list are not enumerated beyond the first 10,000 values', async () => {
  let enumerationCount = 0
  const item = new Proxy(
    {},
    {
      ownKeys() {
        enumerationCount += 1
        return []
      },
    },
  )
  const list = Array.from({ length: 50_000 }, () => item)
  const app = createTestApp({ logger: false, fetchData: () => list as never })
  await app.request(FETCH_DATA)
  expect(enumerationCount).toBeLessThan(2_000)
})

test('100,000 rejecting children are rejected as one, and none of them is classified', async () => {
  let errorCount = 0
  const app = createTestApp({
    logger: false,
    onError: () => void (errorCount += 1),
    fetchData: () => Array.from({ length: 100_000 }, () => Promise.reject(new Error('x'))) as never,
  })
  const ignore = () => undefined
  // Sidecard handles the first 10,000 of them.
  process.on('unhandledRejection', ignore)
  try {
    const response = await app.request(FETCH_DATA)
    expect(response.headers.get('x-sidecard-failure')).toBe('payload_too_large')
    expect(errorCount).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.off('unhandledRejection', ignore)
  }
})

test('responds to a query of 16 KB of malformed escapes', async () => {
  const response = await createTestApp().request(`${FETCH_DATA}&x=${'%zz%E2%82'.repeat(1_800)}`)
  expect(response.status).toBe(200)
})

test('keeps nothing of a request in memory after its response', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const app = createTestApp({
    fetchData: ({ params }) => [text({ label: params.issue_id ?? '', value: 'x' })],
  })
  const send = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const filler = String(index).repeat(20_000).slice(0, 20_000)
      // oxlint-disable-next-line no-await-in-loop -- one request after another
      await (await app.request(`/?request_type=fetch_data&issue_id=i${index}&x=${filler}`)).text()
    }
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await send(200)
  const after = await send(3_000)
  expect((after - before) / 1_048_576).toBeLessThan(5)
})
