import type { ActionRecord } from '../../app/observe/instrument.ts'
import type { CachedSubject, IdentifiedCustomer } from '../../internal/cache-types.ts'
import { isArray } from '../../internal/hostile-values.ts'
import { findCaches } from '../../internal/known-caches.ts'
import { runWithin } from '../../internal/user-code.ts'
import {
  ActionCallContext,
  type AuthorizedRequest,
  type LinkRequest,
} from './authorized-request.ts'
import type { InvalidatedSection } from './definition.ts'

/** The timeout of an instrument. */
const RECORD_MS = 30_000

/** How long an action waits for the record of its start. */
const START_MS = 2_000

/** The part of an audit record about a confirmation. */
export interface AuditPart {
  readonly sentence: string
  /** The return value of the option `audit` of the action. */
  readonly details?: unknown
}

type End = Pick<ActionRecord, 'status' | 'outcome'>

/** Passes a record to the instruments, in the background. Their errors are logged. */
export function writeRecord(
  request: LinkRequest,
  end: End,
  audit: Partial<AuditPart> | undefined,
): void {
  const { c, deadline } = request
  const ctx = new ActionCallContext({ ...request, agent: undefined }, c.env, deadline)
  for (const written of passRecord(request, end, audit, ctx, RECORD_MS)) ctx.waitUntil(written)
}

/**
 * Writes the record of an action before it runs, so that the agent is on record
 * even if the process ends. Rejects if an instrument fails.
 */
export async function writeStart(request: AuthorizedRequest, audit: AuditPart): Promise<void> {
  const started = { status: 0, outcome: 'started' }
  await Promise.all(passRecord(request, started, audit, request.ctx, START_MS))
}

function passRecord(
  { app, traceId, startedAtMs, link, agent }: LinkRequest,
  end: End,
  { sentence, details }: Partial<AuditPart> = {},
  ctx: ActionCallContext,
  timeoutMs: number,
): readonly Promise<unknown>[] {
  const durationMs = Date.now() - startedAtMs
  const about = { traceId, action: link.name, agent, params: link.ids, sentence, details }
  const record: ActionRecord = { startedAtMs, durationMs, ...about, ...end }
  return app.instruments.map((one) => runWithin(timeoutMs, () => one.onAction?.(record, ctx)))
}

/** How long the page waits for caches to invalidate their entries. */
const CACHE_MS = 2_000

/**
 * Invalidates the cached sections that were shown next to the button, and those that
 * the option `alsoInvalidates` lists, including loads that are still running. Call it
 * when the action is done, when its outcome is unknown, and when it ends late.
 * Never rejects.
 */
export async function invalidateCaches(request: AuthorizedRequest): Promise<void> {
  const { definition, input, link } = request
  await Promise.all([
    ...link.shown.map((shown) => logFailure(request, () => invalidateShown(request, shown))),
    logFailure(request, async () => {
      // Plain JavaScript may return a promise here.
      const listed: unknown = await Promise.resolve(definition.options.alsoInvalidates?.(input))
      const sections = (isArray(listed) ? listed : []) as readonly InvalidatedSection[]
      await Promise.all(
        sections.map((section) => logFailure(request, () => invalidateListed(request, section))),
      )
    }),
  ])
}

async function invalidateShown(
  { app, ctx }: AuthorizedRequest,
  shown: CachedSubject,
): Promise<void> {
  const caches = findCaches(app, shown.cache)
  if (caches.length === 0) {
    throw new Error(`This process has no cache with the name ${JSON.stringify(shown.cache)}.`)
  }
  await Promise.all(caches.map(async (cache) => cache.invalidate?.(ctx, shown.subject)))
}

async function invalidateListed(
  { ctx }: AuthorizedRequest,
  listed: InvalidatedSection,
): Promise<void> {
  const { cache, section, key } = listed
  const shared = !('customer' in listed)
  const customers: readonly IdentifiedCustomer[] = shared ? [] : [['id', listed.customer]]
  const subject = await cache.locate?.(ctx, { title: section, customers, key, shared })
  if (subject !== undefined) await cache.invalidate?.(ctx, subject)
}

async function logFailure({ ctx }: AuthorizedRequest, run: () => Promise<unknown>): Promise<void> {
  try {
    await runWithin(CACHE_MS, run)
  } catch (error) {
    ctx.warnOfCache('not_refreshed', error)
  }
}
