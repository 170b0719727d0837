import { afterAll } from 'vitest'
import { getPlatformProxy } from 'wrangler'
import type { Env } from '../src/env.ts'

const proxy = await getPlatformProxy<Env>({ persist: false })
afterAll(() => proxy.dispose())

/** The bindings of the tests, with a real KV namespace and a real D1 database in memory. */
export const env = {
  SIDECARD_SECRET: 'test',
  CLAIMS: proxy.env.CLAIMS,
  PAYLOADS: proxy.env.PAYLOADS,
}
