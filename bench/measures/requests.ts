import { createRequire } from 'node:module'
import { Agent, get } from 'node:http'
import { once } from 'node:events'
import autocannon from 'autocannon'
import { figure, type Goal, type Part, table } from '../page.ts'
import { type Size, SIZES } from '../payloads.ts'
import { runProgram, type ServerProcess, startServer } from '../programs/children.ts'
import type { InProcessCosts } from '../programs/in-process.ts'
import { inTurns, quantile } from '../samples.ts'
import { BARE, BUILDERS, LITERALS, QUERY, type Stack, STACK_NAMES, VALIDATED } from '../stacks.ts'

const FLAGS = ['--expose-gc', '--max-semi-space-size=256']
const HTTP_SIZES: readonly Size[] = [15, 200]
/** V8 optimizes the last function of a request path only after tens of thousands of them. */
const WARM_UP_REQUESTS = 60_000
const FIRST_REQUESTS = 100
const FIRST_PROCESSES = 7

type Costs = Readonly<Record<Stack, number>>

/** Measures a response in process, over HTTP, on the next Node, and after the start. */
export async function measureRequests(rounds: number): Promise<Part> {
  /* oxlint-disable no-await-in-loop -- one after another, or they disturb each other */
  const inProcess = new Map<Size, InProcessCosts>()
  for (const size of SIZES) {
    inProcess.set(size, await runProgram('in-process.ts', [size, rounds], { flags: FLAGS }))
  }
  const overHttp = new Map<Size, Costs>()
  for (const size of HTTP_SIZES) overHttp.set(size, await measureHttp(size, rounds))
  /* oxlint-enable no-await-in-loop */
  const node = createRequire(new URL('../libraries/package.json', import.meta.url)).resolve(
    'node/bin/node',
  )
  const next: InProcessCosts = await runProgram('in-process.ts', [200, rounds], {
    flags: FLAGS,
    node,
  })
  const firstMs = await measureFirstRequests()

  const rows = STACK_NAMES.map((name) => [
    name,
    ...SIZES.map((size) => figure(inProcess.get(size)!.microseconds[name])),
    ...HTTP_SIZES.map((size) => figure(overHttp.get(size)![name])),
    figure(next.microseconds[name]),
    ...HTTP_SIZES.map((size) => `${Math.round(inProcess.get(size)!.heapBytes[name] / 1024)}`),
  ])
  return {
    goals: [
      ...HTTP_SIZES.flatMap((size) => [
        ...relativeGoals(size, 'in process', inProcess.get(size)!.microseconds),
        ...relativeGoals(size, 'over HTTP', overHttp.get(size)!),
      ]),
      {
        name: '15 components with builders in process, more than bare Hono',
        value: difference(inProcess.get(15)!.microseconds),
        limit: 12,
        unit: ' µs',
        cause: 'The request path: the query, the context with its deadline, and the limits.',
      },
      {
        name: 'Cost per component: 1,000 relative to 200, with builders',
        value:
          inProcess.get(1_000)!.microseconds[BUILDERS] /
          5 /
          inProcess.get(200)!.microseconds[BUILDERS],
        limit: 1.2,
        unit: '×',
        cause: 'Garbage collection of larger responses.',
      },
      ...HTTP_SIZES.map((size) => ({
        name: `Heap of a response with ${size} components and builders, relative to bare Hono`,
        value: inProcess.get(size)!.heapBytes[BUILDERS] / inProcess.get(size)!.heapBytes[BARE],
        limit: 2,
        unit: '×',
        cause: 'The builders and the validation each make a copy.',
      })),
      {
        name: `p95 of the first ${FIRST_REQUESTS} requests of a process`,
        value: firstMs,
        limit: 3,
        unit: ' ms',
        cause: 'V8 has not compiled the request path yet.',
      },
    ],
    section: `## A response

CPU time in µs, and heap in kB. Every response has other strings, as a database returns them. Over HTTP, the load comes from another process, after ${WARM_UP_REQUESTS.toLocaleString('en')} requests. Node ${await versionOf(node)} shows how a newer V8 compares.

${table(
  [
    'Stack',
    ...SIZES.map((size) => `${size} components`),
    ...HTTP_SIZES.map((size) => `${size} over HTTP`),
    '200 on the next Node',
    ...HTTP_SIZES.map((size) => `heap, ${size}`),
  ],
  rows,
)}`,
  }
}

function relativeGoals(size: Size, place: string, costs: Costs): Goal[] {
  const limits = { [LITERALS]: size === 15 ? 1 : 0.9, [BUILDERS]: 1 } as const
  return ([LITERALS, BUILDERS] as const).map((name) => ({
    name: `${size} components ${place}, ${name.replace('Sidecard, ', '')}`,
    value: costs[name] / costs[VALIDATED],
    limit: limits[name],
    unit: '×',
    cause:
      size === 15
        ? 'The request path: a time limit, a trace ID, a log and limits, which the other stack does not have.'
        : 'The builders check at your line, and the response is checked again.',
  }))
}

function difference(costs: Costs): number {
  return costs[BUILDERS] - costs[BARE]
}

async function versionOf(node: string): Promise<string> {
  return runProgram<string>('version.ts', [], { node })
}

async function measureHttp(size: Size, rounds: number): Promise<Costs> {
  const servers = new Map<Stack, ServerProcess>()
  try {
    for (const name of STACK_NAMES) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const server = await startServer([name, String(size)])
      servers.set(name, server)
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await load(server.url, WARM_UP_REQUESTS)
    }
    const requests = Math.round(60_000 / (size + 8))
    const turns = STACK_NAMES.map((name) => {
      const server = servers.get(name)!
      const turn = async () => {
        const before = await server.cpuMicroseconds()
        await load(server.url, requests)
        return ((await server.cpuMicroseconds()) - before) / requests
      }
      return [name, turn] as const
    })
    return await inTurns(
      Object.fromEntries(turns) as Record<Stack, () => Promise<number>>,
      rounds,
      1,
    )
  } finally {
    for (const server of servers.values()) server.close()
  }
}

async function load(url: string, amount: number): Promise<void> {
  const result = await autocannon({ url: `${url}/${QUERY}`, connections: 50, amount })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} responses other than 2xx, ${result.errors} errors`)
  }
}

/** The median of the processes, in milliseconds. The client is warm after the first of them. */
async function measureFirstRequests(): Promise<number> {
  const results: number[] = []
  for (let process = -1; process < FIRST_PROCESSES; process += 1) {
    /* oxlint-disable no-await-in-loop -- one after another, or they disturb each other */
    const server = await startServer([BUILDERS, '15'])
    const agent = new Agent({ keepAlive: true })
    const times: number[] = []
    for (let n = 0; n < FIRST_REQUESTS; n += 1) {
      const start = performance.now()
      const [response] = await once(get(`${server.url}/${QUERY}`, { agent }), 'response')
      await once(response.resume(), 'end')
      times.push(performance.now() - start)
    }
    /* oxlint-enable no-await-in-loop */
    agent.destroy()
    server.close()
    if (process >= 0) results.push(quantile(times, 0.95))
  }
  return quantile(results, 0.5)
}
