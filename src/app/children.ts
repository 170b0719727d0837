import { MAX_ITEMS } from '../builders/children.ts'
import { consumeRejections, type Deadline } from '../internal/user-code.ts'
import { enforceLimits, type SettledChildren } from './child-limits.ts'
import { type EncodeOptions, encodePiece } from './encode.ts'
import type { ResolvedOptions } from './options.ts'
import type { RequestContext } from './request-context.ts'
import { appendComponents, readItem } from './section.ts'
import { findLoad, type Settled, settleChild } from './settle-child.ts'

/** Consecutive components, or a child that must be awaited. */
type Slot = { readonly components: unknown[] } | { readonly pending: Promise<Settled> }

/**
 * Settles the children of `fetchData` in parallel. A section or a promise that
 * fails, times out, is invalid or too large becomes a failure card; the others
 * are not affected.
 *
 * @throws {PayloadError} for the components that are not in sections
 */
export function settleChildren<T>(
  children: readonly unknown[],
  ctx: RequestContext<T>,
  timeout: Deadline,
  app: ResolvedOptions<T>,
): SettledChildren | Promise<SettledChildren> {
  const slots: Slot[] = []
  try {
    startChildren(slots, children, ctx, timeout, app)
    const parts = encodeOwnComponents(slots, app)
    if (parts.some((part) => part instanceof Promise)) {
      return Promise.all(parts.map(async (part) => part)).then((settled) =>
        enforceLimits(settled, ctx, app),
      )
    }
    const pieces = (parts as readonly Settled[]).map(({ piece }) => piece)
    return { pieces, sections: [], outcome: undefined, hasDesignedCard: false }
  } catch (error) {
    // Before the sections are awaited: an unhandled rejection ends a Node process.
    consumeRejections(children)
    const pending = slots.flatMap((slot) => ('pending' in slot ? slot.pending : []))
    if (pending.length === 0) throw error
    // The failures of sections are reported in this case as well.
    return Promise.all(pending).then(() => {
      throw error
    })
  }
}

function encodeOwnComponents(
  slots: readonly Slot[],
  options: EncodeOptions,
): (Settled | Promise<Settled>)[] {
  let offset = 0
  return slots.map((slot) => {
    const start = offset
    offset += 'pending' in slot ? 1 : slot.components.length
    if ('pending' in slot) return slot.pending
    return { piece: encodePiece(slot.components, options, start), title: undefined }
  })
}

function startChildren<T>(
  slots: Slot[],
  children: readonly unknown[],
  ctx: RequestContext<T>,
  timeout: Deadline,
  app: ResolvedOptions<T>,
): void {
  if (children.length > MAX_ITEMS) throw new RangeError('fetchData returned too many children.')
  let components: unknown[] | undefined
  for (let index = 0; index < children.length; index += 1) {
    const child = readItem(children, index)
    const load = findLoad(child, ctx, timeout, app)
    if (load !== undefined) {
      slots.push({ pending: settleChild(load, child, ctx, app) })
      components = undefined
      continue
    }
    if (components === undefined) slots.push({ components: (components = []) })
    appendComponents(components, child)
  }
}
