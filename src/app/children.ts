import type { Env } from 'hono'
import { type Absent, type Child, isAbsent } from '../builders/children.ts'
import { isSection, type Section } from '../builders/section.ts'
import type { Component } from '../contract/payload.ts'
import { componentIssues } from '../contract/walk.ts'
import { isInstance } from '../internal/is-instance.ts'
import { isThenable } from '../internal/is-thenable.ts'
import type { RequestContext } from './context.ts'
import { Deadline } from './deadline.ts'
import { faultCard, invalidPayload } from './faults.ts'
import { NotAvailableError } from './not-available.ts'

/** A child that could not be shown; the others were. */
export interface ChildFault {
  /** The child's place in what `fetchData` returned. */
  readonly index: number
  readonly error: unknown
}

/** Children with every section and promise settled. */
export interface Settled {
  readonly components: Component[]
  readonly faults: ChildFault[]
}

/** Bounds the walk over an array that lies about its length; far above any sensible answer. */
const MAX_CHILDREN = 100_000

/**
 * Settles what `fetchData` returned, side by side. At once, without a promise,
 * where there is nothing to wait for. A child that fails or is late becomes a
 * card that says so: one broken source never costs the agent the rest.
 *
 * @throws {RangeError} when there are more children than any answer can have
 */
export function settleChildren<E extends Env>(
  children: readonly Child[],
  ctx: RequestContext<E>,
  deadline: Deadline,
  uriSchemes: readonly string[],
): Settled | Promise<Settled> {
  if (children.length > MAX_CHILDREN) throw new RangeError('fetchData returned too many children.')
  const slots: (Component | undefined)[] = []
  const faults: ChildFault[] = []
  const pending: Promise<void>[] = []
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index]
    if (isAbsent(child)) continue
    const slot = slots.length
    const work = startLoading(child, ctx, deadline)
    slots.push(work === undefined ? (child as Component) : undefined)
    if (work !== undefined) pending.push(contain(work.loading, work.title, index, slot))
  }
  if (pending.length === 0) return { components: slots as Component[], faults }
  return Promise.all(pending).then(() => ({
    components: slots.filter((component) => component !== undefined),
    faults,
  }))

  async function contain(
    loading: Promise<Component | undefined>,
    title: string | undefined,
    index: number,
    slot: number,
  ): Promise<void> {
    try {
      slots[slot] = checked(await loading)
    } catch (error) {
      slots[slot] = standIn(error, title, index)
    }
  }

  function standIn(error: unknown, title: string | undefined, index: number): Component {
    if (isInstance(error, NotAvailableError)) return error.toCard(title)
    faults.push({ index, error })
    const late = isInstance(error, DOMException) && error.name === 'TimeoutError'
    return faultCard(title, late ? 'late' : 'failed', ctx.traceId)
  }

  /** Looked at apart from the rest, so that an invalid one costs only itself. */
  function checked(component: Component | undefined): Component | undefined {
    const issues =
      component === undefined ? [] : componentIssues(component, 'payload', { uriSchemes })
    if (issues.length > 0) throw invalidPayload(issues)
    return component
  }
}

/**
 * Starts what has to be waited for. A child that cannot even be looked at is
 * left to the walk, which names it: to throw here would leave the promises
 * behind it to nobody, and an unheard rejection ends a Node process.
 */
function startLoading<E extends Env>(
  child: Child,
  ctx: RequestContext<E>,
  deadline: Deadline,
): { loading: Promise<Component | undefined>; title?: string } | undefined {
  try {
    if (isSection(child)) return { loading: loadSection(child, ctx, deadline), title: child.title }
    return isThenable(child) ? { loading: loadPromised(child, deadline) } : undefined
  } catch {
    return undefined
  }
}

async function loadPromised(
  child: PromiseLike<Component | Absent>,
  deadline: Deadline,
): Promise<Component | undefined> {
  const component = await deadline.race(child)
  return isAbsent(component) ? undefined : component
}

async function loadSection<E extends Env>(
  section: Section,
  ctx: RequestContext<E>,
  deadline: Deadline,
): Promise<Component | undefined> {
  const abort = new AbortController()
  const own =
    section.timeoutMs === undefined
      ? undefined
      : new Deadline(section.timeoutMs, (reason) => abort.abort(reason))
  try {
    const loading = Promise.resolve(section.load(AbortSignal.any([ctx.signal, abort.signal])))
    const loaded = await deadline.race(own?.race(loading) ?? loading)
    if (!loaded) return undefined
    const components = (Array.isArray(loaded) ? loaded : [loaded]).filter((one) => !isAbsent(one))
    const { title, icon_url } = section
    return { type: 'card', header: { title, icon_url }, components }
  } finally {
    own?.clear()
  }
}
