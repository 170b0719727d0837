import { ActionError, type Receipts } from 'sidecard/actions'
import { expect, test, vi } from 'vitest'
import { confirmPage, createActionApp, createExtendTrial, openPage, readLinks } from './actions.ts'
import { DEFAULT_ACTION_MESSAGES } from '../../src/runtime/actions/messages.ts'
import { createRecordingLogger } from './app.ts'
import { type Breakage, type BrokenStore, type Fault, FAULTS } from './broken-store.ts'
import { createPendingRun, lost } from './desk.ts'

/** After the time of any run. */
const LATER = { now: () => Date.now() + 40_000 }

/** Under load, the stores of this machine are slow. */
const SOON = { timeout: 20_000 }

/** An app with its own customer, in a store that can be broken. */
export async function openOn(store: BrokenStore, overrides: Record<string, unknown> = {}) {
  const breakage: Breakage = { met: 0 }
  const logger = createRecordingLogger()
  let runs = 0
  const run = (overrides['run'] ?? (() => undefined)) as () => unknown
  const counted = createExtendTrial({ ...overrides, run: () => ((runs += 1), run()) })
  const receipts = store.create(breakage)
  const app = createActionApp(counted, { receipts }, { logger })
  const path = `/?request_type=fetch_data&account_id=${crypto.randomUUID()}`
  const newLink = async () => (await readLinks(app, path))[0]!
  const link = await newLink()
  const page = await openPage(app, link)
  return {
    app,
    link,
    page,
    receipts,
    newLink,
    countRuns: () => runs,
    breakAt: (step: keyof Receipts, fault: Fault) => void Object.assign(breakage, { step, fault }),
    heal: () => void (breakage.step = undefined),
    wasMet: () => breakage.met > 0,
    countCalls: (step: keyof Receipts) => breakage.calls?.[step] ?? 0,
    confirm: (settings?: object, of = page) =>
      confirmPage(app, of, undefined, undefined, undefined, settings),
    show: (at = link, settings: object = LATER) => openPage(app, at, {}, undefined, settings),
    /** The lines that say that something failed. */
    failures: () => logger.lines.filter(({ level }) => level === 'error' || level === 'warn'),
  }
}

type Opened = Awaited<ReturnType<typeof openOn>>

/** Runs a case with every fault, at the same time: some of them take as long as a store may. */
async function withEveryFault(
  store: BrokenStore,
  overrides: Record<string, unknown>,
  check: (opened: Opened, fault: Fault) => Promise<void>,
): Promise<void> {
  const work = FAULTS.map(async (fault) => {
    const opened = await openOn(store, overrides)
    try {
      await check(opened, fault)
      expect(opened.wasMet()).toBe(true)
      expect(JSON.stringify(opened.failures())).not.toMatch(/robin@|jane@|SELECT|INSERT|ey[A-Z]/)
    } catch (error) {
      throw new Error(`${store.name}, ${fault}: ${String(error)}`, { cause: error })
    }
  })
  await Promise.all(work)
}

/**
 * Defines the tests of a store that is broken at each step.
 *
 * @param find returns the store, or skips a test if this machine does not have it
 */
export function testBrokenStore(find: (skip: (note: string) => never) => BrokenStore): void {
  test.for(['begin', 'list'] as const)(
    'at %s: nothing runs, the page says so, and the next confirmation runs once',
    async (step, { skip }) => {
      await withEveryFault(find(skip), {}, async (opened, fault) => {
        opened.breakAt(step, fault)
        const failed = await opened.confirm()
        // A reply that is lost at the first try only is repeated.
        expect([fault, failed.status, failed.outcome]).toEqual([fault, 503, 'failed'])
        expect(failed.html).toContain('Nothing was done')
        expect(opened.countRuns()).toBe(0)
        expect(opened.failures().map(({ level }) => level)).toContain('error')
        opened.heal()
        const page = await opened.show(undefined, {})
        expect(page).toMatchObject({ outcome: 'shown' })
        expect(await opened.confirm({}, page)).toMatchObject({ outcome: 'done' })
        expect(await opened.confirm()).toMatchObject({ outcome: 'already_done' })
        expect(opened.countRuns()).toBe(1)
      })
    },
  )

  test.for([
    ['a result', () => Promise.resolve(), 'done'],
    ['an error', lost, 'unknown'],
    ['an ActionError', () => Promise.reject(new ActionError('Not now.')), 'refused'],
  ] as const)(
    'at settle after %s: the page says it, and the store has it once it works again',
    async ([, run, outcome], { skip }) => {
      await withEveryFault(find(skip), { run }, async (opened, fault) => {
        opened.breakAt('settle', fault)
        const page = await opened.confirm({ detached: true })
        expect([fault, page.outcome]).toEqual([fault, outcome])
        expect(page.html).toContain(DEFAULT_ACTION_MESSAGES.notStored)
        expect(opened.failures()).not.toEqual([])
        opened.heal()
        const stored = { done: 'already_done', unknown: 'unknown', refused: 'shown' }[outcome]
        await vi.waitFor(async () => {
          expect(await opened.show(undefined, {})).toMatchObject({ outcome: stored })
        }, SOON)
        expect(opened.countRuns()).toBe(1)
      })
    },
  )

  test('if list() fails, an agent who waits for a confirmation reads that it is in progress', async ({
    skip,
  }) => {
    const store = find(skip)
    const work = FAULTS.map(async (fault) => {
      const { run, end } = createPendingRun()
      const opened = await openOn(store, { run })
      const first = opened.confirm()
      await vi.waitFor(() => expect(opened.countRuns()).toBe(1), SOON)
      const lists = opened.countCalls('list')
      const second = opened.confirm()
      await vi.waitFor(() => expect(opened.countCalls('list')).toBeGreaterThan(lists + 1), SOON)
      opened.breakAt('list', fault)
      const page = await second
      expect([fault, page.status, page.outcome]).toEqual([fault, 409, 'in_progress'])
      expect(opened.failures()).not.toEqual([])
      end()
      expect(await first).toMatchObject({ outcome: 'done' })
      opened.heal()
      expect(await opened.confirm()).toMatchObject({ outcome: 'already_done' })
      expect([opened.wasMet(), opened.countRuns()]).toEqual([true, 1])
    })
    await Promise.all(work)
  })

  test('when lookUp has an answer: the page shows what is stored, and it is asked again', async ({
    skip,
  }) => {
    const overrides = {
      run: () => Promise.reject(new Error('lost reply')),
      lookUp: () => 'done',
    }
    await withEveryFault(find(skip), overrides, async (opened, fault) => {
      await opened.confirm()
      opened.breakAt('settle', fault)
      expect(await opened.show()).toMatchObject({ outcome: 'unknown' })
      expect(opened.failures()).not.toEqual([])
      opened.heal()
      const later = { now: () => Date.now() + 80_000 }
      expect(await opened.show(undefined, later)).toMatchObject({ outcome: 'already_done' })
      expect(opened.countRuns()).toBe(1)
    })
  })

  test('at erase: who erases gets the error, or the number', async ({ skip }) => {
    const store = find(skip)
    const opened = await openOn(store)
    await opened.confirm()
    const filter = { organization: crypto.randomUUID() }
    for (const kind of ['throws', 'loses its reply'] as const) {
      opened.breakAt('erase', kind)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(opened.receipts.erase(filter)).rejects.toThrow('connection re')
    }
    opened.heal()
    expect(await opened.receipts.erase(filter)).toBe(0)
    expect(opened.countRuns()).toBe(1)
  })
}
