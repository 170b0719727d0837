/** A part of `src` that is mutated together, and the tests that must notice. */
export interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** How many mutants run without `--sample`; absent: all. */
  readonly sample?: number
  /** Tests that take longer do not run again for each mutant, in milliseconds. @default 1500 */
  readonly slowTestMs?: number
  /** The lowest score that passes, in percent. Some mutants change nothing that a test can notice. */
  readonly lowest: number
}

/** They compile, start databases or measure memory, so they are no use for thousands of runs. */
export const SLOW_TESTS: readonly string[] = [
  'test/**/*.{slow,weekly}.test.ts',
  'test/runtime/contract/no-zod.node.test.ts',
  'test/runtime/{contract,builders,app}/bounded-work.node.test.ts',
  'test/tools/check/{references,broken}.node.test.ts',
  'test/runtime/app/identify-databases.node.test.ts',
  'test/runtime/actions/{broken-stores,receipts-processes}.node.test.ts',
  'test/runtime/client/size.node.test.ts',
  'test/runtime/{app,node}/dependencies.test.ts',
]

/** The areas by name. */
export const AREAS: Readonly<Record<string, Area>> = {
  contract: {
    sources: ['src/runtime/contract/**'],
    tests: [
      'test/runtime/contract/**',
      'test/runtime/builders/**',
      'test/openapi/**',
      'test/runtime/client/operations*',
    ],
    lowest: 90,
  },
  builders: {
    sources: ['src/runtime/builders/**'],
    tests: ['test/runtime/builders/**'],
    lowest: 85,
  },
  cache: {
    sources: ['src/runtime/cache/**'],
    tests: [
      'test/runtime/cache/**',
      'test/runtime/actions/refresh*',
      'test/runtime/app/section-conditions*',
    ],
    lowest: 90,
  },
  actions: {
    sources: ['src/runtime/actions/**'],
    // In this order, because a mutant that the cheapest tests notice runs no other ones.
    tests: [
      'test/runtime/actions/{pages,options,agents,fields,messages.node,sql-receipts.node}.test.ts',
      'test/runtime/actions/!(security|signed|open-id)*.test.ts',
      'test/runtime/actions/**',
      'test/tools/service/action-page*',
      'test/tools/emulator/action-links*',
    ],
    lowest: 90,
  },
  app: {
    sources: ['src/runtime/app/**'],
    tests: [
      'test/runtime/app/**',
      'test/runtime/builders/{section,messages,value}*',
      'test/tools/service/{test-service,section-conditions}*',
      'test/runtime/cache/{cached,app-identity}*',
      'test/runtime/actions/refresh*',
    ],
    lowest: 90,
  },
  client: {
    sources: ['src/runtime/client/**'],
    tests: ['test/runtime/client/**'],
    sample: 300,
    lowest: 80,
  },
  service: {
    sources: ['src/tools/service/**'],
    tests: [
      'test/tools/service/**',
      'test/tools/check/docs*',
      'test/tools/check/{report,failures,special}*',
    ],
    sample: 300,
    lowest: 80,
  },
  check: {
    sources: ['src/tools/check/**'],
    // In this order, because a mutant that the cheapest tests notice runs no other ones.
    tests: [
      'test/tools/check/{report-*,usage,timing}.test.ts',
      'test/tools/check/{errors,evidence,findings*}.test.ts',
      'test/tools/check/!(*.node).test.ts',
      'test/tools/check/**',
    ],
    sample: 300,
    lowest: 85,
  },
  node: {
    sources: ['src/runtime/node/**'],
    tests: ['test/runtime/node/**'],
    // Tests of signals and of rejections start a process.
    slowTestMs: 4_000,
    lowest: 90,
  },
  dev: {
    sources: ['src/tools/cli/{dev,server,tunnel}/**'],
    tests: ['test/tools/cli/{command-failure,gitignore,tunnel,dev-}*'],
    sample: 100,
    // A save is visible after 400 ms, and a server may take 700 ms to restart.
    slowTestMs: 4_000,
    lowest: 75,
  },
  emulator: {
    sources: ['src/tools/emulator/!(ui)', 'src/tools/emulator/!(ui)/**'],
    tests: ['test/tools/emulator/**'],
    sample: 100,
    lowest: 80,
  },
}
