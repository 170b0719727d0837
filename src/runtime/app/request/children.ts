import { Flattener, isPending, MAX_DEPTH } from '../../builders/components/children.ts'
import { isSection, type Section } from '../../builders/components/section.ts'
import { isThenable } from '../../internal/hostile-values.ts'
import { SETTLE } from '../../internal/section-mark.ts'
import { runUserCode } from '../../internal/user-code.ts'
import { encodePiece, tooManyComponents } from './encode.ts'
import { visitItems } from './flatten.ts'
import type { RequestContext } from './request-context.ts'
import { type Part, replaceChild } from './failures.ts'

/** Consecutive components, or a child that must be awaited. */
type Slot = unknown[] | Section | PromiseLike<unknown>

/** The state of one payload, whose promises contain further children. */
interface Visit {
  readonly flattener: Flattener
  pendingCount: number
}

/**
 * Turns the children of `fetchData` into parts of the payload. Sections and
 * promises settle in parallel: one that fails, times out or is invalid becomes a
 * failure card, and the others are not affected. Sections start only if the
 * components next to them are valid.
 *
 * @param depth the depth of the promise that contains the children
 * @throws {PayloadError} for the components that are not in sections
 */
export async function settleChildren(
  children: unknown,
  ctx: RequestContext,
  visit: Visit = { flattener: new Flattener(), pendingCount: 0 },
  depth = 0,
): Promise<readonly Part[]> {
  let offset = 0
  const encoded = readSlots(children, ctx.app.maxComponents, visit, depth).map((slot) => {
    const start = offset
    offset += Array.isArray(slot) ? slot.length : 1
    return Array.isArray(slot) ? { piece: encodePiece(slot, ctx.app, start) } : slot
  })
  if (visit.pendingCount === 0) return encoded as readonly Part[]
  const settled = encoded.map((slot) => {
    if (isSection(slot)) return slot[SETTLE](slot, ctx) as Promise<Part>
    return isThenable(slot) ? settlePromise(slot, ctx, visit, depth + 1) : slot
  })
  // oxlint-disable-next-line typescript/await-thenable -- a part that is ready needs no promise
  return (await Promise.all(settled)).flat()
}

/** Awaits a promise of children. If it fails, a failure card replaces it. */
async function settlePromise(
  promise: PromiseLike<unknown>,
  ctx: RequestContext,
  visit: Visit,
  depth: number,
): Promise<readonly Part[]> {
  const settle = (children: unknown) => settleChildren(children, ctx, visit, depth)
  try {
    return await runUserCode(() => promise, ctx.deadline, settle)
  } catch (error) {
    return [replaceChild(error, undefined, ctx)]
  }
}

function readSlots(
  children: unknown,
  maxPending: number,
  visit: Visit,
  depth: number,
): readonly Slot[] {
  const slots: Slot[] = []
  let components: unknown[] | undefined
  visitItems(visit.flattener, children, (child) => {
    if (depth <= MAX_DEPTH && isPending(child)) {
      visit.pendingCount += 1
      if (visit.pendingCount > maxPending) throw tooManyComponents(maxPending)
      slots.push(child as Section | PromiseLike<unknown>)
      components = undefined
      return
    }
    if (components === undefined) slots.push((components = []))
    components.push(child)
  })
  return slots
}
