import type { Context, Hono as App } from 'hono'
// An endpoint has one route, so it needs no larger router: this one is a quarter of the default's
// size.
import { Hono } from 'hono/tiny'
import { SidecardError } from '../internal/errors.ts'
import { readProperty } from '../internal/hostile-values.ts'
import { type SetupProblems, SETUP_PROBLEMS } from '../internal/setup.ts'
import type { InferInput, InferOutput, StandardSchema } from '../internal/standard-schema.ts'
import { Deadline } from '../internal/user-code.ts'
import { listAuthProblems } from './request/auth.ts'
import type { DefaultBindings, HonoEnvOf } from './request/bindings.ts'
import { createInstance } from './request/developer-request.ts'
import { dispatch } from './request/dispatch.ts'
import { createBindingsReader } from './request/environment.ts'
import { callOnError } from './request/failures.ts'
import { describeError } from './observe/log-error.ts'
import { guardMiddleware, thrownValue } from './request/middleware.ts'
import type { SidecardOptions } from './options.ts'
import { parseQuery } from './request/query.ts'
import { callInstruments } from './request/recording.ts'
import { RequestContext } from './request/request-context.ts'
import { logRequest } from './request/request-log.ts'
import { type ResolvedOptions, resolveOptions } from './resolve-options.ts'
import { respondWithProblem } from './request/respond.ts'

/** A sidebar app: a Hono app. Its middleware is an option, so `use()` throws. */
export interface SidecardApp<T = DefaultBindings> extends App<HonoEnvOf<T>> {
  use: never
}

/** Requires a name with actions, because their links contain it. */
type NamedActions = { readonly actions?: undefined } | { readonly name: string }

/**
 * Creates the endpoint of a custom sidebar app. It responds to the service's
 * handshake, and validates the return value of `fetchData` against schema 1.0.0.
 * Export the app from a Worker, pass it to `serve()`, mount it in a Hono app, or
 * call `app.request()` in a test.
 *
 * The type argument is the type of the bindings, or a Hono environment. A Standard
 * Schema (zod, valibot, arktype) as the first argument validates the bindings once
 * per environment and types them. If a binding is missing or invalid, the app
 * rejects every request, and logs its name.
 *
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 * @see docs/contract.md#requests
 * @example
 * export default sidecard<Env>({
 *   header: { title: 'Billing' },
 *   auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
 *   async fetchData(ctx) {
 *     const account = await findAccount(ctx.require('account_id'), ctx.signal)
 *     return [text({ label: 'Plan', value: account.plan })]
 *   },
 * })
 */
export function sidecard<S extends StandardSchema>(
  schema: S,
  options: SidecardOptions<NoInfer<{ Bindings: InferOutput<S> & object }>> & NamedActions,
): SidecardApp<{ Bindings: InferInput<S> & object }>
export function sidecard<T = DefaultBindings>(
  options: SidecardOptions<NoInfer<T>> & NamedActions,
): SidecardApp<T>
export function sidecard<T>(
  ...args: [SidecardOptions<T>] | [StandardSchema, SidecardOptions<T>]
): SidecardApp<T> {
  const [first, second] = args
  if (second !== undefined && !isSchema(first)) {
    throw new SidecardError(
      'invalid_options',
      'sidecard: the first of two arguments must be a Standard Schema, such as z.object({ … }).',
    )
  }
  const [options, readBindings] = isSchema(first)
    ? [second, createBindingsReader(first)]
    : [first, (env: unknown) => ({ env })]
  // Only the caller's code needs the types of the bindings.
  const app = createApp(resolveOptions(options as unknown as SidecardOptions, readBindings))
  return app as unknown as SidecardApp<T>
}

/** Returns whether a value is a schema. Those of arktype are functions. */
function isSchema(value: unknown): value is StandardSchema {
  return readProperty(value, '~standard') !== undefined
}

function createApp(options: ResolvedOptions): App {
  const app: App = new Hono()
  const listProblems: SetupProblems = (env) => listSetupProblems(env, options)
  const setup = { [SETUP_PROBLEMS]: listProblems }
  // The handler needs the property as well, because mounting an app only copies its handlers.
  const nameInstance = createInstance()
  const respond = async (c: Context) => nameInstance(await dispatch(c, options), c)
  const handle = Object.assign(respond, setup)
  if (options.instruments.length > 0) app.use(callInstruments)
  options.middleware.forEach((middleware, index) => app.use(guardMiddleware(middleware, index)))
  app.all('/', handle)
  // A parent app needs this route for the mount path with a trailing slash. It is not added with
  // `app.all()`, because two matching routes would cost 2 % of a request.
  app.routes.push({ ...app.routes.at(-1)!, path: '/:slash{$}' })
  options.actions?.mount(app, options)
  app.notFound((c) => {
    logRequest(options, 'warn', { status: 404, outcome: 'not_found' }, Date.now())
    return respondWithProblem(c, 'not_found')
  })
  app.onError((error, c) => handleMiddlewareError(thrownValue(error), c, options))
  return Object.assign(app, { use: rejectUse as never }, setup)
}

function rejectUse(): never {
  throw new SidecardError(
    'invalid_options',
    'sidecard: use() would run too late. Pass the option middleware.',
  )
}

function handleMiddlewareError(error: unknown, c: Context, app: ResolvedOptions): Response {
  // This is an HTTPException, even of another copy of Hono.
  if (error instanceof Error && 'getResponse' in error) {
    const response = (error as Error & { getResponse(): Response }).getResponse()
    return c.newResponse(response.body, response)
  }
  const { params } = parseQuery(c.req.url)
  const ctx = new RequestContext(c, params, c.env, app, new Deadline(app.timeoutMs))
  const { traceId } = ctx
  const kind = 'middleware_failed'
  const line = { status: 500, outcome: kind, traceId, error: describeError(error, app.logErrors) }
  logRequest(app, 'error', line, ctx.startedAtMs)
  callOnError({ kind, error }, ctx)
  return respondWithProblem(c, 'internal_error', { traceId })
}

/** Lists the problems of the setup, which `serve()` reports before the first request. */
async function listSetupProblems(
  rawEnv: unknown,
  { auth, readBindings, timeoutMs }: ResolvedOptions,
): Promise<readonly string[]> {
  const deadline = new Deadline(timeoutMs)
  try {
    const { env, problems } = await readBindings(rawEnv, deadline)
    return problems ?? (await listAuthProblems(auth, env, timeoutMs))
  } finally {
    deadline.clear()
  }
}
