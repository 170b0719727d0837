import type { Context, MiddlewareHandler } from 'hono'
import type { Observer } from '../observe/observe.ts'
import type { Outcome } from './outcome.ts'
import { DISCONNECTED_STATUS, type RequestContext } from './request-context.ts'

/** Passes the record of a data fetch to the instruments, and returns the headers that they add. */
type Recording = (status: number) => Headers

const recordings = new WeakMap<Context, Recording>()

/** Prepares the record of a response, which middleware can still replace. */
export function recordResponse(
  ctx: RequestContext,
  observer: Observer,
  outcome: Outcome,
  isDeveloper: boolean,
): void {
  const { failures = [], designed, traceId, sections, match } = outcome
  recordings.set(ctx.c, (status) =>
    observer.respond(
      {
        startedAtMs: ctx.startedAtMs,
        durationMs: Date.now() - ctx.startedAtMs,
        traceId: traceId ?? ctx.traceId,
        status,
        params: ctx.params,
        via: match?.via,
        unmatched: match?.unmatched ?? [],
        sections,
        failures: failures.map(({ kind, section, stale }) => ({
          kind,
          stale,
          ...(section !== undefined && { section }),
        })),
        outcome: designed,
        sectionCaches: ctx.sectionCaches,
        spans: observer.spans,
        isDeveloper,
      },
      ctx,
    ),
  )
}

/** Calls the instruments when the response is final, after all other middleware of the app. */
export const callInstruments: MiddlewareHandler = async (c, next) => {
  await next()
  const isDisconnected = c.req.raw.signal?.aborted
  const headers = recordings.get(c)?.(isDisconnected ? DISCONNECTED_STATUS : c.res.status)
  headers?.forEach((value, name) => c.header(name, value, { append: true }))
}
