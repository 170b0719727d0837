import type { Env, Hono as App } from 'hono'
// Its router is a quarter of Hono's size, and an endpoint has one route.
import { Hono } from 'hono/tiny'
import { dispatch } from './dispatch.ts'
import { collectMiddleware } from './middleware.ts'
import { type ResolvedOptions, resolveOptions, type SidecardOptions } from './options.ts'
import {
  INTERNAL_ERROR,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  type Problem,
  problemResponse,
} from './problem.ts'
import { logRequest, startRequestLog } from './request-log.ts'

/**
 * Makes the endpoint of a custom sidebar app: it answers the service's
 * handshake, and `fetch_data` with what `fetchData` returns, checked against
 * schema 1.0.0. What it returns is a Hono app: export it from a Worker, give it
 * to `serve()`, mount it, `request()` it in a test.
 *
 * Middleware added with `use()` runs before the endpoint, whenever it is added.
 *
 * @throws {SidecardError} `invalid_options` when an option is missing or wrong
 * @see docs/contract.md#requests
 * @example
 * export default sidecard<{ Bindings: Env }>({
 *   header: { title: 'Billing' },
 *   auth: secretHeader('x-sidecard-secret', (env) => env.SIDECARD_SECRET),
 *   async fetchData(ctx) {
 *     const account = await findAccount(ctx.require('account_id'), ctx.signal)
 *     return [text({ label: 'Plan', value: account.plan })]
 *   },
 * })
 */
export function sidecard<E extends Env = Env>(options: SidecardOptions<E>): App<E> {
  const resolved = resolveOptions(options)
  const app: App<E> = new Hono<E>()
  const behindMiddleware = collectMiddleware(app)

  app.all('/', (c) => {
    // Hono hands HEAD to the handler of GET, and HEAD must never run a callback.
    if (c.req.method !== 'GET') return turnAway(METHOD_NOT_ALLOWED, resolved, { allow: 'GET' })
    return behindMiddleware(c, (context) => dispatch(context, resolved))
  })
  app.notFound(() => turnAway(NOT_FOUND, resolved))
  app.onError(() => problemResponse(INTERNAL_ERROR))
  return app
}

/** Answers a request that never reaches the endpoint. */
function turnAway<E extends Env>(
  problem: Problem,
  app: ResolvedOptions<E>,
  headers: Record<string, string> = {},
): Response {
  const line = { status: problem.status, outcome: problem.code }
  logRequest(app, 'warn', line, startRequestLog(app))
  return problemResponse(problem, { headers })
}
