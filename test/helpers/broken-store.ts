import { d1Receipts, type Receipts } from 'sidecard/actions'

/** How a store fails at one step: before it did anything, after it, not at all, or with nonsense. */
export const FAULTS = ['throws', 'loses its reply', 'hangs', 'hangs after it', 'garbage'] as const
export type Fault = (typeof FAULTS)[number]

/** A fault at one of the methods of receipts. */
export interface Breakage {
  step?: keyof Receipts | undefined
  fault?: Fault | undefined
  /** How often it was met. */
  met: number
  /** How often each step was called. */
  calls?: Partial<Record<keyof Receipts, number>>
}

type Driver = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A) => any

/** A store whose client can be broken, for one app at a time. */
export interface BrokenStore {
  readonly name: string
  /** Receipts in the real store, through a client that fails as `breakage` says. */
  create(breakage: Breakage): Receipts
  close(): Promise<unknown>
}

const METHODS = ['begin', 'settle', 'list', 'erase', 'since'] as const

const never = () => new Promise<never>(() => undefined)

/**
 * Creates receipts whose client is broken at a step: each method has its own client, so that
 * every call belongs to a step.
 */
export function createBroken(
  breakage: Breakage,
  garbage: unknown,
  create: (broken: Driver) => Receipts,
): Receipts {
  const entries = METHODS.flatMap((method) => {
    const receipts = create(createDriver(breakage, method, garbage))
    const call = receipts[method]
    return call === undefined ? [] : [[method, call] as const]
  })
  return Object.fromEntries(entries) as never
}

/** Breaks the calls of a client that belong to the step. */
function createDriver(breakage: Breakage, step: keyof Receipts, garbage: unknown): Driver {
  return (call) =>
    async (...args) => {
      breakage.calls = { ...breakage.calls, [step]: (breakage.calls?.[step] ?? 0) + 1 }
      if (breakage.step !== step) return call(...args)
      breakage.met += 1
      switch (breakage.fault) {
        case 'throws':
          throw new Error('connection refused')
        case 'loses its reply':
          await call(...args)
          throw new Error('connection reset')
        case 'hangs':
          return never()
        case 'hangs after it':
          await call(...args)
          return never()
        default:
          return garbage
      }
    }
}

/** The part of a D1 database that the store calls. */
interface Database {
  prepare(query: string): { bind(...values: unknown[]): { all(): Promise<any> } }
}

/** Creates the store in a D1 database. */
export function createD1Store(database: Database): BrokenStore {
  return {
    name: 'd1Receipts',
    create: (breakage) =>
      createBroken(breakage, { results: [{ receipt: '{"state":"done"}' }] }, (broken) => {
        const prepare = (query: string) => ({
          bind: (...values: unknown[]) => ({
            all: broken(() =>
              database
                .prepare(query)
                .bind(...values)
                .all(),
            ),
          }),
        })
        return d1Receipts({ prepare })
      }),
    close: async () => undefined,
  }
}
