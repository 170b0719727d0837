import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { figure, type Part, table } from '../page.ts'
import { inTurns } from '../samples.ts'
import { measureFirstResponse } from './workers.ts'

const run = promisify(execFile)
const ROOT = new URL('../../', import.meta.url).pathname
const CPU = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)'
const LISTENING = `${CPU}; process.exit(0)`

/** Programs that write their CPU time in milliseconds. */
const PROGRAMS = {
  'an empty module': CPU,
  'import hono': `import { Hono } from 'hono'; new Hono(); ${CPU}`,
  'import sidecard': `import { sidecard, noAuth } from 'sidecard'; sidecard({ header: { title: 'A' }, auth: noAuth(), fetchData: () => [] }); ${CPU}`,
  '@hono/node-server listens': `import { Hono } from 'hono'; import { serve } from '@hono/node-server'; serve({ fetch: new Hono().fetch, port: 0, hostname: '127.0.0.1' }, () => { ${LISTENING} })`,
  'serve() listens': `import { sidecard, noAuth } from 'sidecard'; import { serve } from 'sidecard/node'; await serve(sidecard({ header: { title: 'A' }, auth: noAuth(), fetchData: () => [] }), { port: 0, handleSignals: false }); ${LISTENING}`,
} as const

/** Commands, whose whole time counts. */
const COMMANDS = {
  'node -e 0': ['-e', '0'],
  'sidecard check --help': ['dist/cli/bin.js', 'check', '--help'],
} as const

/** Measures the starts of an app, of the command and of a Worker. */
export async function measureStart(rounds: number): Promise<Part> {
  const cpu = await inTurns(
    mapValues(PROGRAMS, (code) => () => cpuOf(code)),
    2 * rounds,
    1,
  )
  const wall = await inTurns(
    mapValues(COMMANDS, (args) => () => timeOf(args)),
    2 * rounds,
    1,
  )
  const worker = await measureFirstResponse(2 * rounds)
  return {
    goals: [
      {
        name: '`import "sidecard"`, in addition to Hono',
        value: cpu['import sidecard'] - cpu['import hono'],
        limit: 15,
        unit: ' ms',
        cause: 'The modules of the package.',
      },
      {
        name: '`serve()` listens, more than `@hono/node-server`',
        value: cpu['serve() listens'] - cpu['@hono/node-server listens'],
        limit: 25,
        unit: ' ms',
        cause: 'The modules of the package, and what a graceful stop needs.',
      },
      {
        name: '`sidecard check --help`, more than `node -e 0`',
        value: wall['sidecard check --help'] - wall['node -e 0'],
        limit: 70,
        unit: ' ms',
        cause: 'The parser of the command line, and the descriptions of all commands.',
      },
      {
        name: 'First response of a Worker, more than bare Hono',
        value: worker.sidecard - worker.hono,
        limit: 3,
        unit: ' ms',
        cause: 'The size of the bundle.',
      },
    ],
    section: `## Start

CPU time of a process; for the commands and the Workers, the time until the end or the first response.

${table(
  ['', 'ms'],
  [
    ...Object.entries({ ...cpu, ...wall }),
    ['bare Hono on workerd', worker.hono],
    ['Sidecard on workerd', worker.sidecard],
  ].map(([name, ms]) => [String(name), figure(Number(ms))]),
)}`,
  }
}

function mapValues<Name extends string, Value, Result>(
  record: Readonly<Record<Name, Value>>,
  map: (value: Value) => Result,
): Record<Name, Result> {
  const entries = (Object.entries(record) as [Name, Value][]).map(([name, value]) => [
    name,
    map(value),
  ])
  return Object.fromEntries(entries) as Record<Name, Result>
}

async function cpuOf(code: string): Promise<number> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
  return Number(stdout.trim())
}

async function timeOf(args: readonly string[]): Promise<number> {
  const start = performance.now()
  await run(process.execPath, args, { cwd: ROOT })
  return performance.now() - start
}
