import { encodePayload } from '../../src/contract/encode.ts'
import { payloadSchema } from '../../src/contract/payload.ts'
import { LIMITS } from '../candidates/limits.ts'
import { type Size, withBuilders, withLiterals } from '../candidates/payloads.ts'
import { costRow, type Row } from '../statistics.ts'

const WARM_UP_ROUNDS = 5

/** Ways to create a payload and its JSON. The first one is the baseline. */
const WAYS: Readonly<Record<string, (size: Size, n: number) => string>> = {
  'literals, JSON.stringify, unchecked': (size, n) => JSON.stringify(withLiterals(size, n)),
  'literals, generated code': (size, n) => encode(withLiterals(size, n)),
  'builders, JSON.stringify': (size, n) => JSON.stringify(withBuilders(size, n)),
  'builders, generated code (an app)': (size, n) => encode(withBuilders(size, n)),
  'literals, zod, JSON.stringify': (size, n) =>
    JSON.stringify(payloadSchema.parse(withLiterals(size, n))),
}

/** Measures creating, validating and writing a payload, without a request. */
export function measureEncoding(size: Size, rounds: number): Row[] {
  const calls = Math.max(10, Math.round(15_000 / (size + 8)))
  const ways = Object.entries(WAYS)
  const costs = ways.map((): number[] => [])
  let n = 0
  let bytes = 0
  for (let round = 0; round < rounds + WARM_UP_ROUNDS; round += 1) {
    for (const [index, [, run]] of ways.entries()) {
      const before = process.cpuUsage()
      for (let call = 0; call < calls; call += 1) {
        // As a server does for Content-Length: a string that is still in pieces is not ready.
        bytes += Buffer.byteLength(run(size, (n += 1)))
      }
      const { user, system } = process.cpuUsage(before)
      if (round >= WARM_UP_ROUNDS) costs[index]!.push((user + system) / calls)
    }
  }
  if (bytes === 0) throw new Error('Nothing was encoded.')
  return ways.map(([name], index) => costRow(name, 'µs', costs[index]!, costs[0]!))
}

function encode(payload: unknown): string {
  const encoded = encodePayload(payload, LIMITS)
  if (!encoded.ok) throw new TypeError(encoded.issues[0]?.message)
  return encoded.json
}
