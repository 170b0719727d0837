import { MAX_ITEMS } from '../builders/children.ts'
import { isSection, type Section, SETTLE } from '../builders/section.ts'
import { isThenable } from '../internal/hostile-values.ts'
import { encodePiece, tooManyComponents } from './encode.ts'
import { Flattener, readEntry, tooManyEntries } from './flatten.ts'
import type { RequestContext } from './request-context.ts'
import { type Part, settlePromise } from './settle-child.ts'

/** Consecutive components, or a child that must be awaited. */
type Slot = unknown[] | Section | PromiseLike<unknown>

/**
 * Turns the children of `fetchData` into parts of the payload. Sections and
 * promises settle in parallel: one that fails, times out or is invalid becomes a
 * failure card, and the others are not affected. Sections start only if the
 * components next to them are valid.
 *
 * @throws {PayloadError} for the components that are not in sections
 */
export async function settleChildren(
  children: readonly unknown[],
  ctx: RequestContext,
): Promise<readonly Part[]> {
  const slots = readSlots(children, ctx.app.maxComponents)
  let offset = 0
  const encoded = slots.map((slot) => {
    const start = offset
    offset += Array.isArray(slot) ? slot.length : 1
    return Array.isArray(slot) ? { piece: encodePiece(slot, ctx.app, start) } : slot
  })
  const settled = encoded.map((slot) => {
    if (isSection(slot)) return slot[SETTLE](slot, ctx) as Promise<Part>
    return isThenable(slot) ? settlePromise(slot, ctx) : slot
  })
  // oxlint-disable-next-line typescript/await-thenable -- a part that is ready needs no promise
  return Promise.all(settled)
}

function readSlots(children: readonly unknown[], maxPending: number): readonly Slot[] {
  if (children.length > MAX_ITEMS) throw tooManyEntries()
  const slots: Slot[] = []
  const flattener = new Flattener()
  let components: unknown[] | undefined
  let pendingCount = 0
  for (let index = 0; index < children.length; index += 1) {
    const child = readEntry(children, index)
    if (isSection(child) || isThenable(child)) {
      pendingCount += 1
      if (pendingCount > maxPending) throw tooManyComponents(maxPending)
      slots.push(child)
      components = undefined
      continue
    }
    if (components === undefined) slots.push((components = []))
    flattener.append(components, child)
  }
  return slots
}
