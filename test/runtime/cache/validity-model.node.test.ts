import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CASES, controlTime, releaseTime, runSchedules } from './validity-schedules.ts'
import { World } from './validity-model.ts'

/** The number of schedules for each cache and kind of store. */
const RUNS = Number(process.env['SIDECARD_SCHEDULES'] ?? 1_000)

beforeEach(controlTime)
afterEach(releaseTime)

test.each(CASES)(
  'nothing is shown that the app knew to be wrong before the request: $store',
  async (each) => {
    // A cache that never shows an entry would be green as well.
    expect(await runSchedules(World, each, RUNS)).toBeGreaterThan(RUNS / 2)
  },
  120_000,
)

interface Break {
  readonly path: string
  readonly name: string
  readonly extend: (Base: any) => unknown
}

const STORE = { path: '../../../src/runtime/cache/entry-store.ts', name: 'EntryStore' }
const CALLS = { path: '../../../src/runtime/cache/pending-calls.ts', name: 'PendingCalls' }
const GUARD = { path: '../../../src/runtime/cache/guarded-store.ts', name: 'GuardedStore' }

/** Each rule of the caches, broken in the modules that keep it. */
const BROKEN: readonly { readonly rule: string; readonly breaks: readonly Break[] }[] = [
  {
    rule: 'an entry is as old as the start of its load, and not as its end',
    breaks: [
      {
        ...STORE,
        extend: (Base) =>
          class extends Base {
            async write(place: object, ctx: object, entry: object) {
              const { mark } = await super.read(place, ctx, () => true)
              await super.write(place, ctx, { ...entry, mark })
            }
          },
      },
      {
        ...CALLS,
        extend: (Base) =>
          class extends Base {
            isCurrent = () => true
          },
      },
    ],
  },
  {
    rule: 'a request does not join a load that began before an event',
    breaks: [
      {
        ...CALLS,
        extend: (Base) =>
          class extends Base {
            unwatch(key: string, watch: { call?: { mark: string } }, mark: string) {
              return super.unwatch(key, watch, watch.call?.mark ?? mark)
            }
            drop() {}
          },
      },
    ],
  },
  {
    rule: 'what is invalidated has the name under which it is read',
    breaks: [
      {
        ...STORE,
        extend: (Base) =>
          class extends Base {
            invalidate(subject: string, ctx: object) {
              return super.invalidate(`${subject} `, ctx)
            }
          },
      },
    ],
  },
  {
    rule: 'a mark outlives its process',
    breaks: [
      {
        ...GUARD,
        extend: (Base) =>
          class extends Base {
            write(ctx: object, name: string, value: string, ttlSeconds: number) {
              // The names of marks are shorter than those of entries.
              return name.length === 25 || super.write(ctx, name, value, ttlSeconds)
            }
          },
      },
    ],
  },
]

test.each(BROKEN)('the schedules notice a cache without the rule: $rule', async ({ breaks }) => {
  vi.resetModules()
  for (const { path, name, extend } of breaks) {
    const original = await vi.importActual<Record<string, unknown>>(path)
    vi.doMock(path, () => ({ ...original, [name]: extend(original[name]) }))
  }
  try {
    const { World: Broken } = await import('./validity-model.ts')
    for (const each of CASES.filter(({ processes }) => processes === 2)) {
      await expect(runSchedules(Broken, each, 20_000)).rejects.toThrow(
        /^Property failed[^]*seed[^]*Counterexample/,
      )
    }
  } finally {
    for (const { path } of breaks) vi.doUnmock(path)
    vi.resetModules()
  }
})
