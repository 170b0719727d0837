import type { Component } from '../contract/payload.ts'
import { encodeComponents } from '../contract/encode.ts'
import { isAbsent, MAX_DEPTH, MAX_ITEMS } from '../builders/children.ts'
import type { Section } from '../builders/section.ts'
import type { SectionCache } from '../internal/cache-types.ts'
import { consumeRejections, Deadline } from '../internal/user-code.ts'
import { isArray, isInstance } from '../internal/hostile-values.ts'
import { DesignedCardError } from './designed-card.ts'
import { createCacheScope } from './cache-scope.ts'
import type { EncodeOptions } from './encode.ts'
import { createInvalidPayloadError } from './errors.ts'
import type { ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'

/** The content of a section; `error` is set if it is the last good content. */
export interface LoadedSection {
  readonly components: readonly Component[]
  readonly error?: unknown
}

/** Loads a section within its timeout, through its cache if it has one. */
export function loadSection<T>(
  section: Section,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<LoadedSection> {
  const { cache } = section
  return ctx.span('section', { 'sidecard.section': section.title }, () =>
    cache === undefined ? loadUncached(section, ctx) : loadCached(section, cache, ctx, app),
  )
}

async function loadUncached<T>(
  { load, timeoutMs }: Section,
  ctx: RequestContext<T>,
): Promise<LoadedSection> {
  if (timeoutMs === undefined) return { components: flatten(await load(ctx.signal)) }
  const abort = new AbortController()
  const timeout = new Deadline(timeoutMs, (error) => abort.abort(error))
  try {
    const loading = Promise.resolve(load(AbortSignal.any([ctx.signal, abort.signal])))
    return { components: flatten(await timeout.race(loading)) }
  } finally {
    timeout.clear()
  }
}

async function loadCached<T>(
  { title, load, timeoutMs, key }: Section,
  cache: SectionCache,
  ctx: RequestContext<T>,
  app: ResolvedOptions<T>,
): Promise<LoadedSection> {
  const { status, json, loadedAtMs, error } = await cache.fetch({
    scope: createCacheScope(ctx, app),
    key: key ?? [],
    timeoutMs: timeoutMs ?? app.timeoutMs,
    isValid: (text) => isComponentList(text, app),
    load: async (signal) => encodeList(flatten(await load(signal)), app),
  })
  if (ctx.observer !== undefined) ctx.sectionCaches.push({ section: title, status })
  // If the customer is no longer found, stale content would be wrong.
  if (isInstance(error, DesignedCardError)) throw error
  const components = JSON.parse(json) as Component[]
  if (error === undefined) return { components }
  const value = new Date(loadedAtMs).toISOString()
  return {
    components: [...components, { type: 'date_time', label: app.messages.asOf, value }],
    error,
  }
}

/** @throws {PayloadError} `invalid_payload` */
function encodeList(components: readonly unknown[], options: EncodeOptions): string {
  const encoded = encodeComponents(components, 'card', options)
  if (encoded.ok) return `[${encoded.json}]`
  consumeRejections(components)
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

/** Returns the components of nested arrays, without absent ones. */
export function flatten(value: unknown): Component[] {
  const components: Component[] = []
  try {
    appendComponents(components, value)
  } catch (error) {
    consumeRejections(value)
    throw error
  }
  return components
}

/**
 * Appends the components of a value that may contain arrays, without absent
 * ones. Other values are reported by the validation.
 *
 * @throws {RangeError} for too many components
 */
export function appendComponents(components: unknown[], value: unknown, depth = 0): void {
  if (isAbsent(value)) return
  if (!isArray(value) || depth > MAX_DEPTH) {
    components.push(value)
    return
  }
  if (value.length > MAX_ITEMS || components.length > MAX_ITEMS) {
    throw new RangeError('There are too many components.')
  }
  for (let index = 0; index < value.length; index += 1) {
    appendComponents(components, readItem(value, index), depth + 1)
  }
}

/** An item that cannot be read is reported by the validation. */
export function readItem(items: readonly unknown[], index: number): unknown {
  try {
    return items[index]
  } catch {
    return NaN
  }
}
