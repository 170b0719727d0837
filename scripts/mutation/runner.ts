import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { addResult, decidedMutants, readPlan, readResults, runFolder } from './plan.ts'

type TestFile = Awaited<ReturnType<typeof startTests>>[number]
type TestSuite = Extract<TestFile['tasks'][number], { type: 'suite' }>
type TestCase = Extract<TestFile['tasks'][number], { type: 'test' }>
type Hits = Record<string, number>

interface Coverage {
  readonly static: Hits
  readonly perTest: Record<string, Hits>
}

/** What the code with mutants in it reads and writes. */
interface Switches {
  activeMutant?: string
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: Coverage
}

/** A failed test, or a suite that could not run. */
interface Failed {
  readonly id: string
  readonly name: string
}

/** How often the code of a mutant may run before it counts as endless. */
const HIT_LIMIT = 100_000

const folder = runFolder()
const switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {})

let unhandledErrors = 0
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, () => (unhandledErrors += 1))
}

process.env['NODE_OPTIONS'] =
  `${process.env['NODE_OPTIONS'] ?? ''} --import ${new URL('./child-hook.ts', import.meta.url).href}`

/** Runs the tests of a file once as they are, and then again for each mutant that they cover. */
class MutationRunner extends TestRunner {
  override onBeforeTryTask(test: TestCase): void {
    super.onBeforeTryTask(test)
    switches.currentTestId = test.id
    process.env['MUTATION_RUNNING_TEST'] = test.id
  }

  override onAfterTryTask(test: TestCase): void {
    switches.currentTestId = undefined
    super.onAfterTryTask(test)
  }

  // oxlint-disable-next-line typescript/no-misused-promises -- Vitest awaits it
  override async onAfterRunFiles(files: TestFile[] = []): Promise<void> {
    super.onAfterRunFiles()
    delete process.env['MUTATION_RUNNING_TEST']
    // oxlint-disable-next-line no-await-in-loop -- one process has one mutant at a time
    for (const file of files) await runMutants(this, file)
  }
}

async function runMutants(outer: TestRunner, file: TestFile): Promise<void> {
  const { mutants, slowTestMs } = readPlan(folder)
  const tests = testsOf(file).filter(
    ({ result }) => result?.state === 'pass' && (result.duration ?? 0) < slowTestMs,
  )
  const coverage = switches.mutantCoverage ?? { static: {}, perTest: {} }
  addChildren(coverage)
  const decided = decidedMutants(readResults(folder), file.name)
  for (const mutant of mutants) {
    if (decided.has(mutant)) continue
    const atLoad = mutant in coverage.static
    const covering = tests.filter(({ id }) => atLoad || mutant in (coverage.perTest[id] ?? {}))
    if (covering.length === 0) continue
    const ids = covering.map(({ id }) => id)
    const usualMs = covering.reduce((sum, { result }) => sum + (result?.duration ?? 0), 0)
    addResult(folder, { mutant, status: 'started', file: file.name, usualMs })
    // oxlint-disable-next-line no-await-in-loop -- one process has one mutant at a time
    const failed = await (atLoad
      ? runFresh(outer, file, ids, mutant)
      : runWarm(outer, file, ids, mutant))
    addResult(folder, {
      mutant,
      status: failed === undefined ? 'unnoticed' : 'noticed',
      file: file.name,
      ...(failed !== undefined && { test: failed.name }),
    })
  }
}

/**
 * Runs a mutant in the modules that are loaded, which is fast. If it left
 * something behind, or did not run, it runs again in fresh ones.
 */
async function runWarm(
  outer: TestRunner,
  file: TestFile,
  ids: string[],
  mutant: string,
): Promise<Failed | undefined> {
  const failed = await runTests(outer, file, ids, mutant)
  const isClean =
    failed === undefined
      ? (switches.hitCount ?? 0) > 0
      : (await runTests(outer, file, [failed.id], '')) === undefined
  return isClean ? failed : runFresh(outer, file, ids, mutant)
}

async function runFresh(
  outer: TestRunner,
  file: TestFile,
  ids: string[],
  mutant: string,
): Promise<Failed | undefined> {
  vi.resetModules()
  const failed = await runTests(outer, file, ids, mutant)
  vi.resetModules()
  return failed
}

/** Runs these tests with a mutant, or as they are, until the first that fails. */
async function runTests(
  outer: TestRunner,
  { filepath }: TestFile,
  testIds: string[],
  mutant: string,
): Promise<Failed | undefined> {
  Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit: HIT_LIMIT })
  process.env['__STRYKER_ACTIVE_MUTANT__'] = mutant
  const before = unhandledErrors
  const files = await startTests([{ filepath, testIds }], createInnerRunner(outer, filepath))
  await setImmediate()
  process.env['__STRYKER_ACTIVE_MUTANT__'] = ''
  switches.activeMutant = ''
  const failed = files.map(failedIn).find((each) => each !== undefined)
  // Vitest fails a run with an unhandled error.
  return failed ?? (unhandledErrors > before ? { id: '', name: 'unhandled error' } : undefined)
}

/** Methods that Vitest has changed in the outer runner, so that they report to it. */
const REPORTING = [
  'cancel',
  'onCollectStart',
  'onAfterRunFiles',
  'onAfterTryTask',
  'onBeforeTryTask',
]

/** A runner that tells Vitest nothing, loads the test file again, and stops at the first failure. */
function createInnerRunner(outer: TestRunner, filepath: string): TestRunner {
  const plain = TestRunner.prototype
  return Object.assign(Object.create(outer) as TestRunner, {
    ...Object.fromEntries(REPORTING.map((name) => [name, Reflect.get(plain, name)])),
    onTaskUpdate: undefined,
    onCollected: undefined,
    onAfterRunTask(this: TestRunner, test: TestCase) {
      plain.onAfterRunTask.call(this, test)
      if (test.result?.state === 'fail') this.cancel('test-failure')
    },
    importFile(this: TestRunner, path: string, source: 'collect' | 'setup') {
      const { evaluatedModules } = (outer as unknown as WithModules).workerState
      const node = evaluatedModules.getModuleById(filepath)
      if (node !== undefined) evaluatedModules.invalidateModule(node)
      return plain.importFile.call(this, path, source)
    },
  })
}

/** The private part of Vitest's runner that is used. */
interface WithModules {
  readonly workerState: {
    readonly evaluatedModules: {
      getModuleById(id: string): object | undefined
      invalidateModule(node: object): void
    }
  }
}

/** A file that does not load, and a hook that throws, fail a suite without a failed test. */
function failedIn(suite: TestSuite): Failed | undefined {
  for (const task of suite.tasks) {
    const failed = task.type === 'suite' ? failedIn(task) : task.result?.state === 'fail' && task
    if (failed) return failed
  }
  return suite.result?.state === 'fail' ? suite : undefined
}

function testsOf(suite: TestSuite): TestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]))
}

/** Adds which mutants the processes ran that the tests started. */
function addChildren(coverage: Coverage): void {
  for (const name of readdirSync(join(folder, 'children'))) {
    const [test = ''] = name.split('.')
    const mutants = readFileSync(join(folder, 'children', name), 'utf8')
      .trim()
      .split('\n')
    const hits = (coverage.perTest[test] ??= {})
    for (const mutant of mutants) hits[mutant] = 1
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest's option `runner` needs it
export default MutationRunner
