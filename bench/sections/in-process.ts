import { type App, APPS, QUERY } from '../candidates/apps.ts'
import type { Size } from '../candidates/payloads.ts'
import { costRow, type Row } from '../statistics.ts'

const WARM_UP_ROUNDS = 6

/**
 * Measures the CPU time of a complete response without a socket. Candidates
 * take turns; the first name is the baseline.
 */
export async function measureInProcess(
  size: Size,
  names: readonly string[],
  rounds: number,
): Promise<Row[]> {
  const calls = Math.max(20, Math.round(15_000 / (size + 8)))
  const apps = names.map((name) => APPS[name]!(size))
  const costs = names.map((): number[] => [])
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
    for (const [index, app] of apps.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const cost = await measureCpu(app, calls)
      if (round >= WARM_UP_ROUNDS) costs[index]!.push(cost)
    }
  }
  return names.map((name, index) => costRow(name, 'µs', costs[index]!, costs[0]!))
}

async function measureCpu(app: App, calls: number): Promise<number> {
  const requests = Array.from({ length: calls }, () => new Request(`http://localhost/${QUERY}`))
  const before = process.cpuUsage()
  for (const request of requests) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a server does
    await (await app.fetch(request)).arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
