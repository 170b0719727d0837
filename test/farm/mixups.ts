import type { Mixups } from './record.ts'
import { checkParts, redRules } from './farm.ts'
import { find, LUMEN, named, NORTHWIND, type Parts, respond } from './seed.ts'

/** A generator of numbers from 0 to 1 (mulberry32), so that a measurement can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The customer that is read least often gets the data of the other one. */
function mixedUp(share: number, seed: number): Parts {
  const random = createRandom(seed)
  return {
    data: ({ id }) => respond(find(id === LUMEN.id && random() < share ? NORTHWIND.id : id), named),
  }
}

/** The probability of at most `missed` misses, if each run finds the mix-up with this rate. */
function atMost(missed: number, runs: number, rate: number): number {
  let term = rate ** runs
  let sum = term
  for (let count = 1; count <= missed; count += 1) {
    term *= ((runs - count + 1) / count) * ((1 - rate) / rate)
    sum += term
  }
  return sum
}

/** The exact lower limit of Clopper and Pearson, one-sided, 95 %. */
export function lowerLimit(found: number, runs: number): number {
  let [low, high] = [0, 1]
  while (high - low > 1e-9) {
    const rate = (low + high) / 2
    if (atMost(runs - found, runs, rate) < 0.05) low = rate
    else high = rate
  }
  return low
}

/** Checks the endpoint in process, each time with another sequence of mix-ups. */
export async function measureMixups(share: number, runs: number): Promise<Mixups> {
  let found = 0
  for (let run = 0; run < runs; run += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one run at a time, so that it can be repeated
    const report = await checkParts(mixedUp(share, run + 1), { only: ['security-isolation'] })
    if (redRules(report).length > 0) found += 1
  }
  return { share, runs, found, atLeast: Math.floor(lowerLimit(found, runs) * 1_000) / 1_000 }
}
