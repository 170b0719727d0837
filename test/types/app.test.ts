import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { KVNamespace } from '@cloudflare/workers-types'
import { type } from 'arktype'
import * as v from 'valibot'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import {
  badge,
  card,
  divider,
  type FetchDataContext,
  healthCheck,
  identify,
  noAuth,
  secretHeader,
  section,
  sidecard,
  type SidecardOptions,
  text,
} from 'sidecard'

interface Env {
  SIDECARD_SECRET?: string
  DATABASE_URL: string
}
interface Variables {
  tenant: string
}

const header = { title: 'Billing' }
const sharedAuth = secretHeader('x-secret', 'a constant kept in a variable')
const onRequest = createMiddleware<{ Variables: Variables }>(async (_c, next) => next())

/** Code as users write it. It does not run: `npm run types` is the test. */
function accepted(): void {
  // The bindings as the type argument.
  sidecard<Env>({
    header,
    auth: secretHeader('x-secret', (env) => {
      expectTypeOf(env).toEqualTypeOf<Env>()
      return env.SIDECARD_SECRET
    }),
    fetchData: (ctx) => {
      expectTypeOf(ctx.env).toEqualTypeOf<Env>()
      return [text({ label: 'a', value: ctx.env.DATABASE_URL })]
    },
  })
  // A Hono environment.
  sidecard<{ Bindings: Env; Variables: Variables }>({
    header,
    auth: secretHeader('x-secret', async (env) => env.SIDECARD_SECRET),
    middleware: [onRequest],
    fetchData: (ctx) => {
      expectTypeOf(ctx.env).toEqualTypeOf<Env>()
      expectTypeOf(ctx.c.get('tenant')).toEqualTypeOf<string>()
      return []
    },
  })
  // No type argument: every variable may be missing.
  sidecard({
    header,
    auth: secretHeader('x-secret', (env) => env['ANY_KEY']),
    fetchData: ({ env }) => {
      expectTypeOf(env['ANY_KEY']).toEqualTypeOf<string | undefined>()
      return []
    },
  })
  // noAuth() does not turn the bindings into `object`.
  sidecard<Env>({
    header,
    auth: noAuth(),
    fetchData: ({ env }) => text({ label: 'a', value: env.DATABASE_URL }),
  })
  sidecard<Env>({ header, auth: sharedAuth, fetchData: () => null })
  sidecard<Env>({
    header,
    auth: secretHeader('x', { binding: 'SIDECARD_SECRET' }),
    fetchData: () => [],
  })
  // In the error handler, `kind` narrows `section`, even destructured.
  sidecard({
    header,
    auth: noAuth(),
    fetchData: () => [],
    onError: (_error, _ctx, { kind, section: title }) => {
      if (kind === 'section_failed') expectTypeOf(title).toEqualTypeOf<string>()
      return [divider()]
    },
  })
  // An app mounts in any Hono app.
  new Hono().route('/billing', sidecard<Env>({ header, auth: noAuth(), fetchData: () => [] }))
  // Return values of fetchData.
  const results: SidecardOptions['fetchData'][] = [
    () => [],
    async () => [text({ label: 'a', value: 'b' }), null, undefined, false, '', 0],
    () => [
      Promise.resolve([divider(), null]),
      section('S', async (signal) => [signal.aborted && divider()]),
    ],
    async () => section('S', () => divider()),
    () => Promise.reject(new Error('x')),
    () => {
      throw new Error('x')
    },
  ]
  void results
  // The documented form for a conditional flatMap.
  card({
    components: ['a'].flatMap((label): Parameters<typeof card>[0]['components'][number][] =>
      label === '' ? [divider()] : [badge({ label, items: [] })],
    ),
  })
}

function schemas(): void {
  sidecard(z.object({ SECRET: z.string(), PORT: z.coerce.number(), KV: z.custom<KVNamespace>() }), {
    header,
    auth: secretHeader('x-secret', (env) => {
      expectTypeOf(env.SECRET).toEqualTypeOf<string>()
      return env.SECRET
    }),
    fetchData: async ({ env }) => {
      expectTypeOf(env.PORT).toEqualTypeOf<number>()
      return [text({ label: 'a', value: (await env.KV.get('a')) ?? '' })]
    },
  })
  sidecard(v.object({ SECRET: v.string() }), {
    header,
    auth: secretHeader('x-secret', (env) => env.SECRET),
    fetchData: ({ env }) => text({ label: 'a', value: env.SECRET }),
  })
  sidecard(type({ SECRET: 'string' }), {
    header,
    auth: secretHeader('x-secret', (env) => env.SECRET),
    fetchData: ({ env }) => text({ label: 'a', value: env.SECRET }),
  })
}

function rejected(): void {
  const app = sidecard<Env>({ header, auth: noAuth(), fetchData: () => [] })
  // @ts-expect-error use() would run too late
  app.use(async (_c: Context, next: () => Promise<void>) => next())
  // @ts-expect-error auth is required
  sidecard({ header, fetchData: () => [] })
  // @ts-expect-error an unknown option
  sidecard({ header, auth: noAuth(), fetchData: () => [], timeout: 5_000 })
  // @ts-expect-error a forgotten return
  sidecard({ header, auth: noAuth(), fetchData: async () => {} })
  // @ts-expect-error an unknown binding
  sidecard<Env>({ header, auth: secretHeader('x', (env) => env.SECERT), fetchData: () => [] })
  sidecard(z.object({ SECRET: z.string() }), {
    header,
    auth: noAuth(),
    // @ts-expect-error an unknown binding of the schema
    fetchData: ({ env }) => text({ label: 'a', value: env.OTHER }),
  })
  // @ts-expect-error an ID that the contract does not have
  void ((ctx: FetchDataContext) => ctx.require('accountId'))
  // @ts-expect-error a section that returns nothing
  section('S', () => undefined)
  // @ts-expect-error components of onError cannot be promised
  sidecard({ header, auth: noAuth(), fetchData: () => [], onError: async () => [divider()] })
}

function healthChecks() {
  const auth = secretHeader<Env>('x-health-secret', (env) => env.SIDECARD_SECRET)
  healthCheck({
    sources: {},
    auth: secretHeader('x-health-secret', (env) => env['SIDECARD_SECRET']),
  })
  healthCheck<Env>({ sources: { kv: (env) => env.DATABASE_URL }, auth })
  healthCheck({ sources: { kv: (env: Env, signal) => [env.DATABASE_URL, signal.aborted] } })
  // @ts-expect-error an unknown binding
  healthCheck<Env>({ sources: { kv: (env) => env.DATABASE_ULR } })
}

test('the compiler accepts valid code and rejects invalid code', () => {
  expectTypeOf(accepted).toBeFunction()
  expectTypeOf(schemas).toBeFunction()
  expectTypeOf(rejected).toBeFunction()
  expectTypeOf(healthChecks).toBeFunction()
})

/** A helper of several apps, as in docs/guides/identity.md. */
const findAccount = (ctx: FetchDataContext) =>
  identify(ctx, { account_id: (id) => ({ id, url: String(ctx.env['DATABASE_URL']) }) })

function helpers(): void {
  sidecard<Env>({
    header,
    auth: noAuth(),
    fetchData: async (ctx) => text({ label: 'a', value: (await findAccount(ctx)).value.id }),
  })
  sidecard<{ Bindings: Env; Variables: Variables }>({
    header,
    auth: noAuth(),
    fetchData: async (ctx) => text({ label: 'a', value: (await findAccount(ctx)).via }),
  })
  sidecard(z.object({ PORT: z.coerce.number(), KV: z.custom<KVNamespace>() }), {
    header,
    auth: noAuth(),
    fetchData: async (ctx) => text({ label: 'a', value: (await findAccount(ctx)).via }),
  })
  sidecard({ header, auth: noAuth(), fetchData: async (ctx) => (await findAccount(ctx), []) })
  sidecard<Env>({
    header,
    auth: noAuth(),
    fetchData: () => [],
    onError: undefined,
    logger: undefined,
    limits: { maxComponents: undefined },
  })
}

test('a helper accepts the context of every app', () => {
  expectTypeOf(helpers).toBeFunction()
  expectTypeOf<FetchDataContext['env']>().toBeAny()
})
