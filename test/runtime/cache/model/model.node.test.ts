import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BROKEN } from './broken.ts'
import { controlTime, releaseTime, runSchedules } from './schedules.ts'
import { STORES } from './stores.ts'
import { World } from './world.ts'

const STEPS = 1_000

beforeEach(controlTime)
afterEach(releaseTime)

test.each(Object.entries(STORES))(
  'an app shows only current content of the right customer, with %s',
  async (_, createStores) => {
    const { cached, actions } = await runSchedules(World, createStores, { steps: STEPS })
    // An app that never shows cached content would pass as well.
    expect(Math.min(cached, actions)).toBeGreaterThan(STEPS / 500)
  },
)

test.each(BROKEN)(
  'the model fails without the rule: $rule',
  async ({ path, name, replace, problem, store = 'memory', ...app }) => {
    vi.resetModules()
    const file = `../../../../src/runtime/${path}.ts`
    const original = await vi.importActual<Record<string, unknown>>(file)
    vi.doMock(file, () => ({ ...original, [name]: replace(original[name]) }))
    try {
      const { World: Broken } = await import('./world.ts')
      const { STORES: stores } = await import('./stores.ts')
      const limits = { steps: 100_000, endOnFailure: true, ...app }
      const failure = await runSchedules(Broken, stores[store], limits).catch(
        (error: unknown) => error as Error,
      )
      expect(failure).toMatchObject({ cause: { message: expect.stringMatching(problem) } })
    } finally {
      vi.doUnmock(file)
      vi.resetModules()
    }
  },
  120_000,
)
