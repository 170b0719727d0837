import { AsyncResource } from 'node:async_hooks'
import fc from 'fast-check'
import { vi } from 'vitest'
import { type Customer, type Design, IDENTITIES, KEY_KINDS, type Naming, SHAPES } from './apps.ts'
import type { Stores, World } from './world.ts'

const { now } = Date
const realSetTimeout = globalThis.setTimeout

/** The running calls of `crypto.subtle`, whose thread pool has its own order. */
let hashing = 0
const METHODS = ['digest', 'sign', 'encrypt', 'decrypt', 'importKey', 'deriveBits'] as const

/** Makes the order in which a schedule runs the only one. Not with mocks of Vitest, which remember millions of calls. */
export function controlTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const fake = globalThis.setTimeout
  // A timer runs in the process that started it.
  globalThis.setTimeout = ((run: () => void, ms: number) =>
    fake(AsyncResource.bind(run), ms)) as never
  for (const method of METHODS) {
    const original = SubtleCrypto.prototype[method] as (...args: unknown[]) => Promise<never>
    ;(crypto.subtle as any)[method] = (...args: unknown[]) => {
      hashing += 1
      return original.apply(crypto.subtle, args).finally(() => (hashing -= 1))
    }
  }
}

/** Ends {@link controlTime}. */
export function releaseTime(): void {
  Date.now = now
  for (const method of METHODS) delete (crypto.subtle as any)[method]
  vi.useRealTimers()
  globalThis.setTimeout = realSetTimeout
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function untilQuiet(): Promise<void> {
  await nextTurn()
  await nextTurn()
  if (hashing > 0) await untilQuiet()
}

async function pass(world: World, ms: number): Promise<void> {
  world.pass(ms)
  await vi.advanceTimersByTimeAsync(ms)
  // A timer may have begun an access, which may have timed out since.
  world.timeOut()
}

/** Everything that is running goes well, in its order, and then a second passes. */
async function endAll(world: World): Promise<void> {
  while (world.accesses.length + world.loads.length + world.runs.length > 0) {
    if (world.accesses.length > 0) await world.access(0, 'ok')
    else if (world.runs.length > 0) world.endRun(0, 'done')
    else {
      world.read(0)
      world.finish(0, false)
    }
    // oxlint-disable-next-line no-await-in-loop -- what follows from it may run as well
    await untilQuiet()
  }
  await pass(world, 1_100)
}

/** What follows a request: everything ends, or it takes long, so that stale content is shown and an action ends late. */
const AFTER = ['', '', 'and everything ends', 'which takes long'] as const

async function follow(world: World, after: (typeof AFTER)[number]): Promise<void> {
  await untilQuiet()
  if (after === 'and everything ends') await endAll(world)
  if (after === 'which takes long') await pass(world, world.runs.length > 0 ? 5_000 : 200)
}

/** The steps of a schedule. Everything that follows from a step has happened when it ends. */
function createSteps({ processes, isMemory, flush }: Stores) {
  const customer = fc.constantFrom<Customer>('a', 'a', 'a', 'b')
  const naming = fc.constantFrom<Naming>('account', 'account', 'email', 'both')
  const index = fc.nat({ max: 5 })
  const process = fc.nat({ max: processes - 1 })
  const after = fc.constantFrom(...AFTER)
  const ok = Array.from({ length: 9 }, () => 'ok' as const)
  const step = <T extends unknown[]>(
    weight: number,
    name: string,
    args: { [K in keyof T]: fc.Arbitrary<T[K]> },
    run: (world: World, ...values: T) => unknown,
  ) => {
    const bind = (values: T) =>
      Object.assign((world: World) => run(world, ...values), {
        [fc.toStringMethod]: () => [name, ...values].join(' '),
      })
    return { weight, arbitrary: fc.tuple<T>(...args).map(bind) }
  }
  return fc.oneof(
    step(5, 'open', [process, customer, naming, after], (world, i, of, by, then) => {
      world.open(i, of, by)
      return follow(world, then)
    }),
    step(3, 'act', [process, fc.nat({ max: 2 }), after], (world, i, back, then) => {
      world.act(i, back)
      return follow(world, then)
    }),
    step(1, 'end run', [index, fc.constantFrom('done', 'done', 'unknown')], (world, i, how) =>
      world.endRun(i, how),
    ),
    step(1, 'read', [index], (world, i) => world.read(i)),
    step(1, 'finish', [index, fc.constantFrom(false, false, false, true)], (world, i, fails) =>
      world.finish(i, fails),
    ),
    step(3, 'end all', [], endAll),
    step(1, 'change', [customer, fc.constantFrom('present', 'present', 'gone', 'ambiguous')], (world, of, status) => world.change(of, status)), // prettier-ignore
    step(1, 'pass', [fc.constantFrom(1_000, 5_000, 60_000, 61_000, 61_000, 700_000)], pass),
    step(1, 'restart', [process], (world, i) => world.restart(i)),
    step(isMemory ? 0 : 3, 'access', [index, fc.constantFrom(...ok, 'failed', 'no reply', 'late')], (world, i, how) => world.access(i, how)), // prettier-ignore
    step(isMemory ? 0 : 1, 'down', [process, fc.constantFrom(false, false, true)], (world, i, is) =>
      world.setStoreDown(i, is),
    ),
    step(flush ? 1 : 0, 'operate', [fc.nat({ max: 4 })], (world, i) => world.operate(i)),
  )
}

const anyDesign: fc.Arbitrary<Design> = fc.record({
  shape: fc.constantFrom(...(Object.keys(SHAPES) as (keyof typeof SHAPES)[])),
  identity: fc.constantFrom(...IDENTITIES),
  keys: fc.array(fc.constantFrom(...KEY_KINDS), { minLength: 1, maxLength: 3 }),
})

export interface Limits {
  /** The number of steps after which no schedule starts. */
  readonly steps: number
  readonly endOnFailure?: boolean
  /** The app of all schedules. By default, each has its own. */
  readonly design?: Design
}

/**
 * Runs random schedules, and returns how often they showed cached content and ended actions.
 *
 * @throws {Error} with the seed and the shortest schedule that shows wrong content
 */
export async function runSchedules(
  Model: typeof World,
  createStores: () => Stores | Promise<Stores>,
  { steps, endOnFailure = false, design }: Limits,
) {
  const stores = await createStores()
  const total = { steps: 0, cached: 0, actions: 0 }
  const minLength = stores.processes
  const offset = fc.constantFrom(0, 0, 0, 2_000, -4_000, 1_800_000)
  const offsets = fc.array(offset, { minLength, maxLength: minLength })
  const schedules = fc.array(createSteps(stores), { maxLength: 60, size: 'max' })
  const designs = design === undefined ? anyDesign : fc.constant(design)
  await fc.assert(
    fc.asyncProperty(designs, offsets, schedules, async (app, offsetsMs, schedule) => {
      if (total.steps >= steps) return
      vi.clearAllTimers()
      const world = new Model(app, await createStores())
      Date.now = world.now
      // oxlint-disable-next-line no-await-in-loop -- processes start one after the other
      for (const [index, offsetMs] of offsetsMs.entries()) await world.start(index, offsetMs)
      for (const run of schedule) {
        // oxlint-disable-next-line no-await-in-loop -- one step after another
        await run(world)
        // oxlint-disable-next-line no-await-in-loop -- as above
        await untilQuiet()
        world.assertTrue()
      }
      total.steps += schedule.length
      total.cached += world.counts.cached
      total.actions += world.counts.actions
    }),
    { numRuns: steps, endOnFailure },
  )
  return total
}
