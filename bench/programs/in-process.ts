/**
 * Writes the cost of a response of each stack without a socket, as JSON:
 * `node --expose-gc --max-semi-space-size=256 in-process.ts <size> <rounds>`.
 */
import { inTurns } from '../samples.ts'
import { parseRow, type Size } from '../payloads.ts'
import { type App, QUERY, type Stack, STACK_NAMES, STACKS } from '../stacks.ts'

/** CPU time in microseconds, and the heap that a response takes, in bytes. */
export interface InProcessCosts {
  readonly microseconds: Readonly<Record<Stack, number>>
  readonly heapBytes: Readonly<Record<Stack, number>>
}

const size = Number(process.argv[2]) as Size
const rounds = Number(process.argv[3])
const CALLS = Math.round(30_000 / (size + 8))
const WARM_UPS = 8

const microseconds = await measureAll((name) => STACKS[name](size), measureCpu, rounds, WARM_UPS)
// The strings of a response are a part of what it takes.
const heapBytes = await measureAll((name) => STACKS[name](size, parseRow), measureHeap, 5, 1)
console.log(JSON.stringify({ microseconds, heapBytes } satisfies InProcessCosts))

function measureAll(
  create: (name: Stack) => App,
  measure: (app: App) => Promise<number>,
  count: number,
  warmUps: number,
): Promise<Record<Stack, number>> {
  const turns = STACK_NAMES.map((name) => {
    const app = create(name)
    return [name, () => measure(app)] as const
  })
  return inTurns(Object.fromEntries(turns) as Record<Stack, () => Promise<number>>, count, warmUps)
}

async function call(app: App, count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => new Request(`http://localhost/${QUERY}`))
  for (const request of requests) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a server does
    await (await app.fetch(request)).arrayBuffer()
  }
}

async function measureCpu(app: App): Promise<number> {
  const before = process.cpuUsage()
  await call(app, CALLS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

/** The young generation is large enough that nothing is collected meanwhile. */
async function measureHeap(app: App): Promise<number> {
  const count = Math.max(10, Math.round(CALLS / 10))
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  await call(app, count)
  return (process.memoryUsage().heapUsed - before) / count
}
