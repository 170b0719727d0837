import { type App, APPS, QUERY } from '../contenders/apps.ts'
import type { Size } from '../contenders/sizes.ts'
import { costRow, type Row } from '../statistics.ts'

/**
 * What a whole answer costs without a socket, in CPU time, which other processes
 * disturb less than time on the wall. The contenders run in turns.
 */
export async function measureInProcess(
  size: Size,
  names: readonly string[],
  rounds: number,
): Promise<Row[]> {
  const calls = Math.max(20, Math.round(15_000 / (size + 8)))
  const warmUp = 6
  const apps = await Promise.all(names.map(async (name) => APPS[name]!(size)))
  const costs = names.map((): number[] => [])
  for (let round = 0; round < rounds + warmUp; round += 1) {
    for (const [index, app] of apps.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const cost = await cpuOf(app, calls)
      if (round >= warmUp) costs[index]!.push(cost)
    }
  }
  return names.map((name, index) => costRow(name, 'µs', costs[index]!, costs[0]!))
}

async function cpuOf(app: App, calls: number): Promise<number> {
  const requests = Array.from({ length: calls }, () => new Request(`http://localhost/${QUERY}`))
  const before = process.cpuUsage()
  for (const request of requests) {
    // oxlint-disable-next-line no-await-in-loop -- one after another, as a server does
    await (await app.fetch(request)).arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
