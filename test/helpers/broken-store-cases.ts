import { ActionError, type Receipts } from 'sidecard/actions'
import { expect, test, vi } from 'vitest'
import { confirmPage, createActionApp, createExtendTrial, openPage, readLinks } from './actions.ts'
import { createRecordingLogger } from './app.ts'
import { type Breakage, type BrokenStore, type Fault, FAULTS } from './broken-store.ts'

/** After the time of any run. */
const LATER = { now: () => Date.now() + 40_000 }

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
    confirm: (settings?: object) =>
      confirmPage(app, page, undefined, undefined, undefined, settings),
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
  test.for(['begin', 'last'] as const)(
    'at %s: nothing runs, the page says so, and the next confirmation runs once',
    async (step, { skip }) => {
      await withEveryFault(find(skip), {}, async (opened, fault) => {
        opened.breakAt(step, fault)
        const failed = await opened.confirm()
        expect(failed).toMatchObject({ status: 503, outcome: 'failed' })
        expect(failed.html).toContain('Nothing was done')
        expect(opened.countRuns()).toBe(0)
        expect(opened.failures().map(({ level }) => level)).toContain('error')
        opened.heal()
        expect(await opened.confirm()).toMatchObject({ outcome: 'done' })
        expect(await opened.confirm()).toMatchObject({ outcome: 'already_done' })
        expect(opened.countRuns()).toBe(1)
      })
    },
  )

  test('at settle: the page says that it is done, later at worst unknown, and nothing runs again', async ({
    skip,
  }) => {
    await withEveryFault(find(skip), {}, async (opened, fault) => {
      opened.breakAt('settle', fault)
      expect(await opened.confirm()).toMatchObject({ outcome: 'done' })
      expect(opened.failures()).not.toEqual([])
      opened.heal()
      const isStored = fault === 'loses its reply' || fault === 'hangs after it'
      const outcome = isStored ? 'already_done' : 'unknown'
      expect(await opened.show()).toMatchObject({ outcome })
      expect(await opened.confirm(LATER)).toMatchObject({ outcome })
      const other = await opened.show(await opened.newLink())
      expect(other.html.includes('name="checked"')).toBe(!isStored)
      expect(opened.countRuns()).toBe(1)
    })
  })

  test('at settle after an unknown outcome: it stays unknown, and nothing runs again', async ({
    skip,
  }) => {
    const run = () => Promise.reject(new Error('lost reply'))
    await withEveryFault(find(skip), { run }, async (opened, fault) => {
      opened.breakAt('settle', fault)
      expect(await opened.confirm()).toMatchObject({ outcome: 'unknown' })
      opened.heal()
      expect(await opened.confirm(LATER)).toMatchObject({ outcome: 'unknown' })
      expect(opened.countRuns()).toBe(1)
    })
  })

  test('at release: an ActionError is shown, and only a receipt that is gone can be tried again', async ({
    skip,
  }) => {
    const run = () => {
      throw new ActionError('Not now.')
    }
    await withEveryFault(find(skip), { run }, async (opened, fault) => {
      opened.breakAt('release', fault)
      const rejected = await opened.confirm()
      expect(rejected).toMatchObject({ status: 409, outcome: 'refused' })
      expect(rejected.html).toContain('Not now.')
      opened.heal()
      const isReleased = fault === 'loses its reply' || fault === 'hangs after it'
      const again = await opened.confirm(LATER)
      expect(again).toMatchObject({ outcome: isReleased ? 'refused' : 'unknown' })
      expect(opened.countRuns()).toBe(isReleased ? 2 : 1)
    })
  })

  test('at find: who waits for a confirmation reads that it is in progress', async ({ skip }) => {
    const store = find(skip)
    const work = FAULTS.map(async (fault) => {
      let end = () => {}
      const opened = await openOn(store, {
        run: () => new Promise<void>((resolve) => (end = resolve)),
      })
      const first = opened.confirm()
      await vi.waitFor(() => expect(opened.countRuns()).toBe(1))
      opened.breakAt('find', fault)
      const second = await opened.confirm()
      expect([fault, second.status, second.outcome]).toEqual([fault, 409, 'in_progress'])
      expect(opened.failures()).not.toEqual([])
      end()
      expect(await first).toMatchObject({ outcome: 'done' })
      opened.heal()
      expect(await opened.confirm()).toMatchObject({ outcome: 'already_done' })
      expect([opened.wasMet(), opened.countRuns()]).toEqual([true, 1])
    })
    await Promise.all(work)
  })

  test('when reconcile has an answer: the page shows what is stored, and it is asked again', async ({
    skip,
  }) => {
    const overrides = {
      run: () => Promise.reject(new Error('lost reply')),
      reconcile: () => 'done',
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
