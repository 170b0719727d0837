/**
 * What building, checking and writing a realistic payload costs in process:
 * `node bench/encode.ts [rounds]`. The alternatives run in turns, so that a
 * noisy machine disturbs them alike; the medians of the rounds are printed.
 */
import { payloadSchema } from '../src/contract/payload.ts'
import { validatePayload } from '../src/contract/validate.ts'
import { encodePayload } from '../src/contract/walk.ts'
import { withBuilders, withLiterals } from './payloads.ts'

const CALLS = 2_000
const rounds = Number(process.argv[2] ?? 60)
const contenders: { readonly [Name in string]: (n: number) => unknown } = {
  literals: withLiterals,
  builders: withBuilders,
  'literals + JSON.stringify (unchecked)': (n) => JSON.stringify(withLiterals(n)),
  'literals + encodePayload': (n) => encodePayload(withLiterals(n)),
  'builders + JSON.stringify': (n) => JSON.stringify(withBuilders(n)),
  'builders + encodePayload (what the app does)': (n) => encodePayload(withBuilders(n)),
  'literals + validatePayload': (n) => validatePayload(withLiterals(n)),
  'literals + zod + JSON.stringify': (n) => JSON.stringify(payloadSchema.parse(withLiterals(n))),
}

/** Bytes are counted, as a server does for `content-length`: a rope of strings is not free. */
function consume(result: unknown): number {
  if (typeof result === 'string') return Buffer.byteLength(result)
  const json = (result as { json?: unknown }).json
  return typeof json === 'string' ? Buffer.byteLength(json) : 1
}

const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]))
let sink = 0
for (let round = 0; round < rounds + 5; round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = performance.now()
    for (let n = 0; n < CALLS; n++) sink += consume(run(n))
    const microseconds = ((performance.now() - start) * 1000) / CALLS
    if (round >= 5) times.get(name)?.push(microseconds)
  }
}

console.log(
  `${JSON.stringify(withBuilders(7)).length} characters, Node ${process.version}, medians of ${rounds} rounds (${sink % 7})`,
)
for (const [name, all] of times) {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
  console.log(`${at(0.5).padStart(7)} µs  ${name}  (${at(0.1)}–${at(0.9)})`)
}
