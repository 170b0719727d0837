import type { Section } from '../builders/section.ts'
import { encodeComponents } from '../contract/encode.ts'
import type { SectionCache } from '../internal/cache-types.ts'
import { isInstance } from '../internal/hostile-values.ts'
import { Deadline, runUserCode, untilAborted } from '../internal/user-code.ts'
import { createCacheScope } from './cache-scope.ts'
import { DesignedCardError } from './designed-card.ts'
import { type EncodeOptions, encodePiece } from './encode.ts'
import { createInvalidPayloadError } from './errors.ts'
import { classifySectionFailure } from './failures.ts'
import { flatten } from './flatten.ts'
import type { RequestContext } from './request-context.ts'
import type { Part } from './settle-child.ts'

/** Loads a section within its timeout, through its cache if it has one. */
export function loadSection(section: Section, ctx: RequestContext): Promise<Part> {
  const { cache } = section
  return cache === undefined ? loadUncached(section, ctx) : loadCached(section, cache, ctx)
}

async function loadUncached(section: Section, ctx: RequestContext): Promise<Part> {
  const { title, load, timeoutMs } = section
  const own =
    timeoutMs === undefined
      ? undefined
      : new Deadline(Math.min(timeoutMs, ctx.deadline.remainingMs))
  const signal = own === undefined ? ctx.signal : AbortSignal.any([ctx.signal, own.signal])
  try {
    return await ctx.run(
      'section',
      { 'sidecard.section': title },
      () => load(signal),
      own ?? ctx.deadline,
      (content) => showSection(section, flatten(content), ctx.app),
    )
  } finally {
    own?.clear()
  }
}

async function loadCached(
  section: Section,
  cache: SectionCache,
  ctx: RequestContext,
): Promise<Part> {
  const { app } = ctx
  const { title, load, timeoutMs = app.timeoutMs, key = [] } = section
  const scope = createCacheScope(ctx)
  const { status, json, loadedAtMs, error } = await ctx.run(
    'section',
    { 'sidecard.section': title },
    () =>
      cache.fetch({
        scope,
        key,
        timeoutMs,
        isValid: (text) => isComponentList(text, app),
        load: (signal) =>
          runUserCode(
            () => load(signal),
            untilAborted(signal),
            (content) => encodeList(flatten(content), app),
          ),
      }),
  )
  if (ctx.observer !== undefined) ctx.sectionCaches.push({ section: title, status })
  // If the customer is no longer found, stale content would be wrong.
  if (isInstance(error, DesignedCardError)) throw error
  const components = JSON.parse(json) as unknown[]
  if (error === undefined) return showSection(section, components, app)
  const value = new Date(loadedAtMs).toISOString()
  const asOf = { type: 'date_time', label: app.messages.asOf, value }
  const part = showSection(section, [...components, asOf], app)
  return { ...part, failure: classifySectionFailure(error, title, true) }
}

/** A section without content is not shown. */
function showSection(
  { title, icon_url }: Section,
  components: readonly unknown[],
  options: EncodeOptions,
): Part {
  const card = { type: 'card', header: { title, icon_url }, components }
  return { title, piece: encodePiece(components.length === 0 ? [] : [card], options) }
}

/** @throws {PayloadError} `invalid_payload` */
function encodeList(components: readonly unknown[], options: EncodeOptions): string {
  const encoded = encodeComponents(components, 'card', options)
  if (encoded.ok) return `[${encoded.json}]`
  throw createInvalidPayloadError(encoded.issues)
}

function isComponentList(json: string, options: EncodeOptions): boolean {
  try {
    const components: unknown = JSON.parse(json)
    return Array.isArray(components) && encodeComponents(components, 'card', options).ok
  } catch {
    return false
  }
}
