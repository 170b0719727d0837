import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import autocannon from 'autocannon'
import { QUERY } from '../contenders/apps.ts'
import type { Size } from '../contenders/sizes.ts'
import { costRow, quantile, type Row, ratios, spread } from '../statistics.ts'

const SERVER = new URL('../contenders/server.ts', import.meta.url).pathname
const CONNECTIONS = 50

/** What a comparison over HTTP found. */
export interface HttpRows {
  /** Requests per second. */
  readonly throughput: Row[]
  /** CPU time of the server for one request, which other processes disturb less. */
  readonly cpu: Row[]
}

/** Short and often: what disturbs one turn then disturbs its neighbours too. */
export interface Load {
  readonly rounds: number
  /** Of one turn of one contender. */
  readonly seconds: number
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A server of its own process that tells its CPU time. */
export interface Contender {
  readonly url: string
  /** CPU time so far, in microseconds. */
  cpu(): Promise<number>
  close(): void
}

/** Loads servers in turns. The first name is the yardstick. */
export async function measureHttp(
  size: Size,
  names: readonly string[],
  { rounds, seconds }: Load,
): Promise<HttpRows> {
  const contenders = await Promise.all(names.map((name) => startServer(name, size)))
  try {
    return await compare(names, contenders, { rounds, seconds })
  } finally {
    for (const contender of contenders) contender.close()
  }
}

/** Loads contenders that listen already, in turns. */
export async function compare(
  names: readonly string[],
  contenders: readonly Contender[],
  { rounds, seconds, headers }: Load,
): Promise<HttpRows> {
  const rates = names.map((): number[] => [])
  const costs = names.map((): number[] => [])
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const { rate, cost } = await load(contender, seconds, headers)
      if (round < 0) continue
      rates[index]!.push(rate)
      costs[index]!.push(cost)
    }
  }
  return {
    throughput: names.map((name, index) => ({
      name,
      value: quantile(rates[index]!, 0.5),
      unit: 'requests/s',
      ratio: spread(ratios(rates[index]!, rates[0]!)),
    })),
    cpu: names.map((name, index) => costRow(name, 'µs', costs[index]!, costs[0]!)),
  }
}

async function load(contender: Contender, duration: number, headers: Load['headers'] = {}) {
  const before = await contender.cpu()
  const result = await autocannon({
    url: `${contender.url}/${QUERY}`,
    headers,
    connections: CONNECTIONS,
    duration,
  })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers other than 2xx, ${result.errors} errors`)
  }
  const cost = ((await contender.cpu()) - before) / result.requests.total
  return { rate: result.requests.total / result.duration, cost }
}

async function startServer(name: string, size: Size): Promise<Contender> {
  const child: ChildProcess = spawn(process.execPath, [SERVER, name, String(size)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout! })
  const [url] = (await once(lines, 'line')) as [string]
  return {
    url,
    async cpu() {
      child.stdin!.write('cpu\n')
      const [microseconds] = (await once(lines, 'line')) as [string]
      return Number(microseconds)
    },
    close: () => child.stdin!.end(),
  }
}
