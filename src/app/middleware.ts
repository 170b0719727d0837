import type { Context, Env, Hono, MiddlewareHandler } from 'hono'

/**
 * Makes `app.use()` put middleware before the endpoint also when it is called
 * after the endpoint exists. Hono runs handlers in the order in which they were
 * added, and `sidecard()` has added the endpoint before anybody can say `use()`.
 *
 * @returns what runs an endpoint behind the middleware collected so far
 */
export function collectMiddleware<E extends Env>(app: Hono<E>) {
  const collected: MiddlewareHandler<E>[] = []
  const use = app.use as (...args: unknown[]) => unknown
  const collect = (...args: unknown[]): unknown => {
    const [path] = args
    if (typeof path !== 'string' || path === '*' || path === '/' || path === '/*') {
      collected.push(...(args.filter((arg) => typeof arg === 'function') as MiddlewareHandler<E>[]))
    }
    return use(...args)
  }
  app.use = collect as typeof app.use

  return (c: Context<E>, endpoint: (c: Context<E>) => Response | Promise<Response>) => {
    if (collected.length > 0) return runBehind(c, collected, endpoint)
    return c.req.routeIndex > 0 ? withPreparedHeaders(c, endpoint(c)) : endpoint(c)
  }
}

async function runBehind<E extends Env>(
  c: Context<E>,
  middleware: readonly MiddlewareHandler<E>[],
  endpoint: (c: Context<E>) => Response | Promise<Response>,
): Promise<Response> {
  const run = async (index: number): Promise<Response | undefined> => {
    const handler = middleware[index]
    if (handler === undefined) return withPreparedHeaders(c, endpoint(c))
    const answer = await handler(c, async () => {
      const inner = await run(index + 1)
      if (inner !== undefined) c.res = inner
    })
    return answer instanceof Response ? answer : undefined
  }
  return (await run(0)) ?? c.res
}

/** Headers that middleware has set with `c.header()` reach only what the context itself makes. */
async function withPreparedHeaders<E extends Env>(
  c: Context<E>,
  answering: Response | Promise<Response>,
): Promise<Response> {
  const answer = await answering
  return c.newResponse(answer.body, answer)
}
