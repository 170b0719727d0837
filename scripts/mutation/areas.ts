/** A part of `src` that is mutated together, and the tests that must notice. */
export interface Area {
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** How many mutants run without `--sample`; absent: all. */
  readonly sample?: number
  /** Tests that take longer do not run again for each mutant, in milliseconds. @default 1500 */
  readonly slowTestMs?: number
  /** The lowest score that passes, in percent, without the mutants of equivalent.txt. */
  readonly lowest: number
}

/** They compile, start databases or measure memory, so they are no use for thousands of runs. */
export const SLOW_TESTS: readonly string[] = [
  'test/**/*.{slow,weekly}.test.ts',
  'test/contract/no-zod.node.test.ts',
  'test/{contract,builders,app}/bounded-work.node.test.ts',
  'test/check/{references,broken}.node.test.ts',
  'test/app/identify-databases.node.test.ts',
  'test/actions/{broken-stores,receipts-processes}.node.test.ts',
  'test/client/size.node.test.ts',
  'test/{app,node}/dependencies.test.ts',
]

/** The areas by name. */
export const AREAS: Readonly<Record<string, Area>> = {
  contract: {
    sources: ['src/contract/**'],
    tests: ['test/contract/**', 'test/builders/**', 'test/openapi/**', 'test/client/operations*'],
    lowest: 90,
  },
  builders: { sources: ['src/builders/**'], tests: ['test/builders/**'], lowest: 85 },
  cache: {
    sources: ['src/cache/**'],
    tests: ['test/cache/**', 'test/actions/refresh*', 'test/app/section-conditions*'],
    lowest: 95,
  },
  actions: {
    sources: ['src/actions/**'],
    // In this order, because a mutant that the cheapest tests notice runs no other ones.
    tests: [
      'test/actions/{page,options,agents,fields,outcomes,messages.node,sql-receipts.node}.test.ts',
      'test/actions/!(security|cloudflare|signed|open-id)*.test.ts',
      'test/actions/**',
      'test/service/action-page*',
      'test/emulator/action-links*',
    ],
    lowest: 95,
  },
  app: {
    sources: ['src/app/**'],
    tests: [
      'test/app/**',
      'test/builders/{section,messages,value}*',
      'test/service/{test-service,section-conditions}*',
      'test/cache/{cached,app-identity}*',
      'test/actions/refresh*',
    ],
    lowest: 95,
  },
  client: { sources: ['src/client/**'], tests: ['test/client/**'], sample: 300, lowest: 80 },
  service: {
    sources: ['src/service/**'],
    tests: ['test/service/**', 'test/check/docs*', 'test/check/{report,failures,special}*'],
    sample: 300,
    lowest: 80,
  },
  check: {
    sources: ['src/check/**'],
    // In this order, because a mutant that the cheapest tests notice runs no other ones.
    tests: [
      'test/check/{report-*,usage,timing}.test.ts',
      'test/check/{errors,evidence,findings*}.test.ts',
      'test/check/!(*.node).test.ts',
      'test/check/**',
    ],
    sample: 300,
    lowest: 85,
  },
  node: {
    sources: ['src/node/**'],
    tests: ['test/node/**'],
    // Tests of signals and of rejections start a process.
    slowTestMs: 4_000,
    lowest: 95,
  },
  dev: {
    sources: ['src/cli/dev/**'],
    tests: ['test/cli/{command-failure,gitignore,tunnel,dev-}*'],
    sample: 100,
    // A save is visible after 400 ms, and a server may take 700 ms to restart.
    slowTestMs: 4_000,
    lowest: 75,
  },
  emulator: {
    sources: ['src/emulator/!(ui)', 'src/emulator/!(ui)/**'],
    tests: ['test/emulator/**'],
    sample: 100,
    lowest: 80,
  },
}
