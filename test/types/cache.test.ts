import { expectTypeOf, test } from 'vitest'
import { type KvNamespace, kvStore, type SectionCache, sectionCache } from 'sidecard/cache'

interface Env {
  readonly PAYLOADS: KvNamespace
  readonly REGION: string
}

test('a section cache has one type, and its store may declare the bindings', () => {
  const declare = () =>
    sectionCache({
      name: 'errors',
      ttlSeconds: 60,
      staleSeconds: 600,
      store: (env: Env) => kvStore(env.PAYLOADS),
    })
  expectTypeOf(declare).returns.toEqualTypeOf<SectionCache>()
})
