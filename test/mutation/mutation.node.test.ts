import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AREAS } from '../../scripts/mutation/areas.ts'
import type { Mutant } from '../../scripts/mutation/mutants.ts'
import { forgetUnnoticed, readResults, writePlan } from '../../scripts/mutation/plan.ts'
import { createTable, readRecord, scoreOf } from '../../scripts/mutation/record.ts'
import { createReport } from '../../scripts/mutation/report.ts'
import { runTestFile } from '../../scripts/mutation/test-file.ts'

const FIXTURES = 'test/fixtures/mutation'

/** What Stryker's instrumenter adds to a file, in short. */
const SWITCHES = `
const switches: any = ((globalThis as any).__stryker__ ??= {})
switches.activeMutant ??= process.env.__STRYKER_ACTIVE_MUTANT__
function is(id: string): boolean {
  const coverage = (switches.mutantCoverage ??= { static: {}, perTest: {} })
  const test = switches.currentTestId
  const hits = test === undefined ? coverage.static : (coverage.perTest[test] ??= {})
  hits[id] = 1
  switches.hitCount += 1
  return switches.activeMutant === id
}`

const SOURCES = {
  [`${FIXTURES}/is-adult.ts`]: `${SWITCHES}
export function isAdult(age: number): boolean {
  if (is('always')) return true
  if (is('boundary')) return age > 18
  if (is('late')) queueMicrotask(() => { throw new Error('late') })
  if (is('end')) process.kill(process.pid, 'SIGKILL')
  if (age < 0) return is('negative')
  return age >= 18
}`,
  [`${FIXTURES}/print-greeting.ts`]: `${SWITCHES}
process.stdout.write(is('greeting') ? '' : 'hello')
export {}`,
}

test('a change that a test notices or that ends the process is killed; other changes survive', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-mutation-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'children'))
  const mutants = ['always', 'late', 'end', 'boundary', 'negative', 'greeting']
  writePlan(folder, { sources: SOURCES, mutants, seed: 1, slowTestMs: 1_500 })

  await runTestFile(folder, `${FIXTURES}/weak-tests.ts`)

  const results = readResults(folder)
  expect(results.filter(({ status }) => status !== 'started')).toMatchObject([
    {
      mutant: 'always',
      status: 'noticed',
      test: 'a person of 30 is an adult, a person of 5 is not',
    },
    { mutant: 'late', status: 'noticed', test: 'unhandled error' },
    { mutant: 'end', status: 'ended' },
    { mutant: 'boundary', status: 'unnoticed' },
    { mutant: 'greeting', status: 'noticed', test: 'the program says hello' },
  ])
  const { survivors, text } = createReport(mutants.map(createMutant), results)
  expect(survivors.map(({ id }) => id)).toEqual(['boundary', 'negative'])
  expect(text).toBe(
    'a.ts:7 Test\n- boundary\n+ changed\n\na.ts:7 Test (no test runs it)\n- negative\n+ changed\n',
  )

  forgetUnnoticed(folder)
  expect(readResults(folder).map(({ mutant }) => mutant)).toEqual([
    'always',
    'late',
    'end',
    'greeting',
  ])
}, 30_000)

test('the README has the figures of the recorded runs', () => {
  const readme = readFileSync('scripts/mutation/README.md', 'utf8')
  expect(readme).toContain(createTable(readRecord()))
})

test.each(Object.entries(readRecord()))(
  'the recorded run of %s reached its lowest score',
  (name, run) => {
    expect(scoreOf(run)).toBeGreaterThanOrEqual(AREAS[name]!.lowest)
  },
)

test('the score is the share of the mutants that ran that a test noticed', () => {
  const run = { date: '2026-01-01', mutants: 100, ran: 50, seed: 1, survivors: 2 }
  expect(createTable({ app: run })).toContain(
    '| `app` | 2026-01-01 | 100     | 50, seed 1 | 2        | 96.0 % |',
  )
})

function createMutant(id: string): Mutant {
  return {
    id,
    file: 'a.ts',
    line: 7,
    code: 'code',
    mutator: 'Test',
    original: id,
    replacement: 'changed',
  }
}
