import { expectTypeOf, test } from 'vitest'
import {
  type KvNamespace,
  kvStore,
  memoryStore,
  type PayloadCache,
  payloadCache,
  type PayloadKeyContext,
  type SectionCache,
  sectionCache,
} from 'sidecard/cache'

interface Env {
  readonly PAYLOADS: KvNamespace
  readonly REGION: string
}

/** The context of an app with these bindings, which has more fields than a cache uses. */
interface AppContext<Bindings> extends PayloadKeyContext<Bindings> {
  readonly c: { readonly header: (name: string) => string | undefined }
}
interface AppOptions<Bindings> {
  readonly cache: PayloadCache<AppContext<Bindings>>
}
declare function app<Bindings>(options: AppOptions<NoInfer<Bindings>>): void
declare function appWithSchema<B>(
  schema: { readonly output: B },
  options: AppOptions<NoInfer<B>>,
): void

test('a cache is typed by the bindings and the context of its app', () => {
  const declare = (schema: { readonly output: Env }) => {
    app<Env>({ cache: payloadCache({ ttlSeconds: 60, store: memoryStore() }) })
    app<Env>({ cache: payloadCache({ ttlSeconds: 60, store: (env) => kvStore(env.PAYLOADS) }) })
    appWithSchema(schema, {
      cache: payloadCache({
        ttlSeconds: 60,
        store: async (env) => kvStore(env.PAYLOADS),
        key: ({ params, env, c }) => [params.account_id, env.REGION, c.header('x-tenant'), 1n],
      }),
    })
    app<Env>({
      // @ts-expect-error -- there is no such binding
      cache: payloadCache({ ttlSeconds: 60, store: (env) => kvStore(env.PAYLOAD) }),
    })
    app<Env>({
      // @ts-expect-error -- a promise would be one key for all requests
      cache: payloadCache({ ttlSeconds: 60, store: memoryStore(), key: async () => ['a'] }),
    })
  }
  expectTypeOf(declare).returns.toBeVoid()
})

test('a cache in a constant is assignable to any app, unless its bindings are declared', () => {
  const anywhere = payloadCache({
    ttlSeconds: 60,
    store: memoryStore(),
    key: ({ params, require }) => [params.organization_id, require('account_id')],
  })
  const onWorkers = payloadCache({ ttlSeconds: 60, store: (env: Env) => kvStore(env.PAYLOADS) })
  expectTypeOf(anywhere).toExtend<PayloadCache<AppContext<Env>>>()
  expectTypeOf(anywhere).toExtend<PayloadCache<AppContext<Record<string, string | undefined>>>>()
  expectTypeOf(onWorkers).toExtend<PayloadCache<AppContext<Env>>>()
  expectTypeOf(onWorkers).not.toExtend<PayloadCache<AppContext<{ REGION: string }>>>()
})

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
