import type { Section } from '../../builders/components/section.ts'
import { encodeComponents } from '../../contract/encode.ts'
import type {
  EncodedContent,
  SectionCache,
  SectionCacheResult,
  SectionPlace,
} from '../../internal/cache-types.ts'
import type { SectionCondition } from '../../internal/section-conditions.ts'
import { Deadline } from '../../internal/user-code.ts'
import { enforceLimits } from './child-limits.ts'
import { encodePiece } from '../request/encode.ts'
import { requireValid } from '../errors.ts'
import {
  callOnError,
  classifySectionFailure,
  type Part,
  replaceChild,
} from '../request/failures.ts'
import { flatten, flattenAwaited } from '../request/flatten.ts'
import type { RequestContext } from '../request/request-context.ts'
import { createConditionError, takeCondition } from './section-conditions.ts'

/** Loads a section. If it fails, a failure card replaces it. */
export async function settleSection(section: Section, ctx: RequestContext): Promise<Part> {
  const part = await loadOrReplace(section, ctx)
  return { ...part, title: section.title, fit: enforceLimits }
}

async function loadOrReplace(section: Section, ctx: RequestContext): Promise<Part> {
  const { cache, title, key, shared = false } = section
  const place = { title, key, shared, customers: ctx.customers }
  try {
    const condition = takeCondition(title, ctx)
    const part = await (condition !== undefined
      ? settleUnder(condition, section, ctx)
      : cache === undefined
        ? loadUncached(section, ctx)
        : loadCached(section, cache, place, ctx))
    if (part.failure !== undefined) callOnError(part.failure, ctx)
    return part
  } catch (error) {
    return replaceChild(error, title, ctx)
  }
}

/**
 * Settles a section of a request with conditions, without its cache, so that the
 * result does not depend on earlier requests.
 */
async function settleUnder(
  condition: SectionCondition | 'none',
  section: Section,
  ctx: RequestContext,
): Promise<Part> {
  if (condition === 'none') return loadUncached(section, ctx)
  if (condition === 'empty') return showSection(section, [], ctx)
  throw createConditionError(condition, section.title)
}

async function loadUncached(section: Section, ctx: RequestContext): Promise<Part> {
  const { title, load, timeoutMs } = section
  const own =
    timeoutMs === undefined
      ? undefined
      : new Deadline(Math.min(timeoutMs, ctx.deadline.remainingMs))
  const signal = own?.signal ?? ctx.signal
  // Not AbortSignal.any(): some versions of Node leak its signals if user code adds a listener.
  const follow = () => own?.abort(ctx.signal.reason)
  if (ctx.signal.aborted) follow()
  else ctx.signal.addEventListener('abort', follow, { once: true })
  try {
    return await ctx.run(
      'section',
      { 'sidecard.section': title },
      async () => flattenAwaited(await ctx.callLoad(load, signal)),
      own ?? ctx.deadline,
      (content) => showSection(section, content, ctx),
    )
  } finally {
    ctx.signal.removeEventListener('abort', follow)
    own?.clear()
  }
}

function loadCached(
  section: Section,
  cache: SectionCache,
  place: SectionPlace,
  ctx: RequestContext,
): Promise<Part> {
  const { title, load, timeoutMs } = section
  const encode = createEncode(ctx)
  return ctx.run(
    'section',
    { 'sidecard.section': title },
    () =>
      cache.fetch({
        ctx,
        place,
        timeoutMs,
        load: async (own) => flattenAwaited(await ctx.callLoad(load, own)),
        encode,
      }),
    ctx.deadline,
    (cached) => showCached(section, cached, ctx),
  )
}

function createEncode({ app }: RequestContext): (content: unknown) => EncodedContent {
  return (content) => requireValid(encodeComponents(flatten(content), 'card', app))
}

function showCached(
  section: Section,
  { status, json, componentCount, loadedAtMs, error }: SectionCacheResult,
  ctx: RequestContext,
): Part {
  const { title } = section
  ctx.sectionCaches.push({ section: title, status })
  if (error === undefined) return showJson(section, json, componentCount, ctx)
  const components = (ctx.app.actions?.parse ?? JSON.parse)(json) as unknown[]
  const value = new Date(loadedAtMs).toISOString()
  const asOf = { type: 'date_time', label: ctx.app.messages.asOf, value }
  const part = showSection(section, [...components, asOf], ctx)
  return { ...part, failure: classifySectionFailure(error, title, true) }
}

/** Returns the part of a section whose components were validated before they were cached. */
function showJson(
  section: Section,
  json: string,
  componentCount: number,
  { app }: RequestContext,
): Part {
  if (componentCount === 0) return { piece: encodePiece([], app) }
  const empty = encodePiece([toCard(section, [])], app)
  return {
    piece: {
      json: `${empty.json.slice(0, -EMPTY_END.length)}${json}}`,
      componentCount: empty.componentCount + componentCount,
      length: 1,
    },
  }
}

/** The end of the JSON of a card without components. */
const EMPTY_END = '[]}'

/** Returns the part of a section. A section without content is not shown. */
function showSection(
  section: Section,
  components: readonly unknown[],
  { app }: RequestContext,
): Part {
  return { piece: encodePiece(components.length === 0 ? [] : [toCard(section, components)], app) }
}

function toCard({ title, icon_url }: Section, components: readonly unknown[]): object {
  return { type: 'card', header: { title, icon_url }, components }
}
