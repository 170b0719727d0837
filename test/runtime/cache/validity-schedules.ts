import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { vi } from 'vitest'
import type { Account, World } from './validity-model.ts'

const MINUTE_MS = 60_000

const { now } = Date
const { digest } = crypto.subtle

/** Makes the order in which a schedule runs the only one. Not with mocks of Vitest, which remember millions of calls. */
export function controlTime(): void {
  // Timers of stores never fire: a schedule decides what times out.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  // The thread pool would decide in which order requests go on.
  crypto.subtle.digest = async (_, data) =>
    new Uint8Array(
      createHash('sha256')
        .update(data as Uint8Array)
        .digest(),
    ).buffer
}

/** Ends {@link controlTime}. */
export function releaseTime(): void {
  Date.now = now
  crypto.subtle.digest = digest
  vi.useRealTimers()
}

/** The caches and stores of the schedules. */
export const CASES: readonly Case[] = [
  { store: 'memory', processes: 1 },
  { store: 'one store of two processes', processes: 2 },
]

export interface Case {
  readonly store: string
  readonly processes: number
}

type Command = fc.AsyncCommand<object, World>

/** A step of a schedule. Everything that follows from it has happened when it ends. */
class Step implements Command {
  readonly #name: string
  readonly #run: (world: World) => void

  constructor(name: string, run: (world: World) => void) {
    this.#name = name
    this.#run = run
  }

  check(): boolean {
    return true
  }

  async run(_: object, world: World): Promise<void> {
    this.#run(world)
    await untilQuiet()
    world.assertTrue()
  }

  toString(): string {
    return this.#name
  }
}

const untilQuiet = () => new Promise((resolve) => setImmediate(resolve))

/** Everything that is running goes well, in its order. */
class Settle extends Step {
  constructor() {
    super('everything ends', () => undefined)
  }

  override async run(_: object, world: World): Promise<void> {
    while (world.accesses.length + world.loads.length > 0) {
      if (world.accesses.length > 0) world.access(0, 'ok')
      else {
        world.read(0)
        world.finish(0, false)
      }
      // oxlint-disable-next-line no-await-in-loop -- what follows from it may run as well
      await untilQuiet()
    }
    world.assertTrue()
  }
}

const account = fc.constantFrom<Account>('a', 'a', 'a', 'a', 'b')
const index = fc.nat({ max: 5 })

function createSteps(processes: number): fc.Arbitrary<Command>[] {
  const process = fc.nat({ max: processes - 1 })
  const open = fc
    .tuple(process, account)
    .map(([i, of]) => new Step(`open ${of} in ${i}`, (world) => world.open(i, of)))
  const read = index.map(
    (i) => new Step(`the source reads for load ${i}`, (world) => world.read(i)),
  )
  const finish = fc
    .tuple(index, fc.boolean(), fc.boolean())
    .map(
      ([i, one, two]) =>
        new Step(`load ${i} ${one && two ? 'fails' : 'ends'}`, (world) =>
          world.finish(i, one && two),
        ),
    )
  const access = fc
    .tuple(index, fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'no reply', 'late'))
    .map(([i, how]) => new Step(`access ${i} is ${how}`, (world) => world.access(i, how)))
  return [
    open,
    open,
    open,
    read,
    read,
    finish,
    finish,
    ...Array.from({ length: 5 }, () => fc.constant(0).map(() => new Settle())),
    ...(processes > 1 ? [access, access, access] : []),
    fc
      .tuple(process, account)
      .map(([i, of]) => new Step(`act on ${of} in ${i}`, (world) => world.act(i, of))),
    fc
      .tuple(account, fc.constantFrom('present', 'gone', 'present'))
      .map(([of, status]) => new Step(`${of} is ${status}`, (world) => world.change(of, status))),
    fc
      .constantFrom(1_000, 5_000, MINUTE_MS, 61_000, 700_000)
      .map((ms) => new Step(`${ms} ms pass`, (world) => world.pass(ms))),
    fc
      .tuple(process, fc.boolean())
      .map(
        ([i, isDown]) =>
          new Step(`the store is ${isDown ? 'down' : 'up'} for ${i}`, (world) =>
            world.setStoreDown(i, isDown),
          ),
      ),
    process.map((i) => new Step(`restart ${i}`, (world) => world.restart(i))),
  ]
}

/**
 * Runs random schedules, and returns how often content of an entry was shown.
 *
 * @throws {Error} with the seed and the shortest schedule that shows what the app knew to be wrong
 */
export async function runSchedules(
  Model: typeof World,
  { processes }: Case,
  numRuns: number,
): Promise<number> {
  let hits = 0
  const offset = fc.integer({ min: -30 * MINUTE_MS, max: 30 * MINUTE_MS })
  const offsets = fc.array(offset, { minLength: processes, maxLength: processes })
  const commands = fc.commands(createSteps(processes), { maxCommands: 60, size: 'max' })
  await fc.assert(
    fc.asyncProperty(offsets, commands, async (offsetsMs, steps) => {
      const world = new Model(offsetsMs, processes === 1)
      Date.now = world.now
      vi.clearAllTimers()
      await fc.asyncModelRun(() => ({ model: {}, real: world }), steps)
      hits += world.hits
    }),
    { numRuns },
  )
  return hits
}
