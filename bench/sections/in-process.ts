import { type App, APPS, baselineOf, QUERY } from '../candidates/apps.ts'
import type { CacheCandidate } from '../candidates/cached.ts'
import type { Size } from '../candidates/payloads.ts'
import { costRow, type Row } from '../statistics.ts'

const WARM_UP_ROUNDS = 6

/** Measures the CPU time of a complete response without a socket. */
export async function measureInProcess(
  size: Size,
  names: readonly string[],
  rounds: number,
): Promise<Row[]> {
  const candidates = names.map((name) => ({
    name,
    app: APPS[name]!(size),
    query: QUERY,
    baseline: baselineOf(name),
  }))
  return measureApps(candidates, rounds, Math.max(20, Math.round(15_000 / (size + 8))))
}

/** Calls apps in turns, in process. */
export async function measureApps(
  candidates: readonly CacheCandidate[],
  rounds: number,
  calls: number,
): Promise<Row[]> {
  const costs = new Map(candidates.map(({ name }): [string, number[]] => [name, []]))
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
    for (const { name, app, query } of candidates) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const cost = await measureCpu(app, query, calls)
      if (round >= WARM_UP_ROUNDS) costs.get(name)!.push(cost)
    }
  }
  return candidates.map(({ name, baseline }) =>
    costRow(name, 'µs', costs.get(name)!, costs.get(baseline)!),
  )
}

async function measureCpu(app: App, query: string, calls: number): Promise<number> {
  const requests = Array.from({ length: calls }, () => new Request(`http://localhost/${query}`))
  const before = process.cpuUsage()
  for (const request of requests) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a server does
    await (await app.fetch(request)).arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
