import autocannon from 'autocannon'
import { baselineOf, QUERY } from '../candidates/apps.ts'
import type { Size } from '../candidates/payloads.ts'
import { costRow, quantile, type Row, ratios, spread } from '../statistics.ts'
import { startServer } from './server-process.ts'

const CONNECTIONS = 50

/** The results of a comparison over HTTP. */
export interface HttpRows {
  /** Requests per second. */
  readonly throughput: Row[]
  /** CPU time of the server for one request. Other processes disturb it less. */
  readonly cpu: Row[]
}

/** Short and frequent turns: a disturbance then affects neighboring turns alike. */
export interface Load {
  readonly rounds: number
  /** How long one turn of one candidate takes. */
  readonly seconds: number
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that is loaded. */
export interface Candidate {
  readonly url: string
  /** CPU time since its start, in microseconds. */
  cpu(): Promise<number>
  close(): void
}

/** Loads servers in turns. */
export async function measureHttp(
  size: Size,
  names: readonly string[],
  load: Load,
): Promise<HttpRows> {
  const candidates = await Promise.all(
    names.map(async (name): Promise<Candidate> => {
      const server = await startServer('server.ts', [name, String(size)])
      return {
        url: server.url,
        cpu: async () => (await server.usage()).cpuMicroseconds,
        close: () => server.close(),
      }
    }),
  )
  try {
    return await compare(names, candidates, load)
  } finally {
    for (const candidate of candidates) candidate.close()
  }
}

/** Loads running candidates in turns. */
export async function compare(
  names: readonly string[],
  candidates: readonly Candidate[],
  load: Load,
): Promise<HttpRows> {
  const rates = names.map((): number[] => [])
  const costs = names.map((): number[] => [])
  for (let round = -1; round < load.rounds; round += 1) {
    for (const [index, candidate] of candidates.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const { rate, cost } = await takeTurn(candidate, load)
      if (round < 0) continue
      rates[index]!.push(rate)
      costs[index]!.push(cost)
    }
  }
  const ofBaseline = (series: readonly number[][], name: string) =>
    series[names.indexOf(baselineOf(name))]!
  return {
    throughput: names.map((name, index) => ({
      name,
      value: quantile(rates[index]!, 0.5),
      unit: 'requests/s',
      ratio: spread(ratios(rates[index]!, ofBaseline(rates, name))),
    })),
    cpu: names.map((name, index) => costRow(name, 'µs', costs[index]!, ofBaseline(costs, name))),
  }
}

async function takeTurn(
  candidate: Candidate,
  { seconds, headers = {} }: Load,
): Promise<{ rate: number; cost: number }> {
  const before = await candidate.cpu()
  const result = await autocannon({
    url: `${candidate.url}/${QUERY}`,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} responses other than 2xx, ${result.errors} errors`)
  }
  const { total } = result.requests
  // On a busy machine, no large response may be complete in time.
  if (total === 0) return takeTurn(candidate, { rounds: 1, seconds: 2 * seconds, headers })
  return {
    rate: total / result.duration,
    cost: ((await candidate.cpu()) - before) / total,
  }
}
