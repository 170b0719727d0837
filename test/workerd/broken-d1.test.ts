import { describe } from 'vitest'
import { createD1Store } from '../helpers/broken-store.ts'
import { testBrokenStore } from '../helpers/broken-store-cases.ts'

const MODULE: string = 'cloudflare:workers'
// The module has the types of Workers, which would replace those of the DOM in all other tests.
const { env } = (await import(MODULE)) as { readonly env: { readonly ACCOUNTS: any } }

describe.concurrent('d1Receipts on a real D1, broken', () => {
  const store = createD1Store(env.ACCOUNTS)
  testBrokenStore(() => store)
})
