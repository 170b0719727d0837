import { expectTypeOf, test } from 'vitest'
import {
  answerStore,
  type CacheStore,
  kvCache,
  type KvNamespace,
  memoryCache,
  type SidecardOptions,
} from 'sidecard'

interface Env {
  Bindings: { ANSWERS: KvNamespace }
}
type Cache = NonNullable<SidecardOptions<Env>['cache']>

test('a store knows the bindings of its app', () => {
  const caches: Cache[] = [
    { ttlSeconds: 60, store: memoryCache() },
    { ttlSeconds: 60, store: kvCache((env) => env.ANSWERS) },
    { ttlSeconds: 60, store: answerStore({ get: () => null, set: () => null }) },
    // @ts-expect-error -- there is no such binding
    { ttlSeconds: 60, store: kvCache((env) => env.ANSWER) },
    // @ts-expect-error -- a promise would be one key for everybody
    { ttlSeconds: 60, store: memoryCache(), key: async () => ['a'] },
  ]
  expectTypeOf(caches).items.toEqualTypeOf<Cache>()
  expectTypeOf<{ get(): null; set(): null }>().not.toExtend<CacheStore>()
})
