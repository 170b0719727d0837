import { check } from '../../src/check/index.ts'
import type { CheckOptions, Report } from '../../src/check/index.ts'
import { HEADERS } from '../fixtures/endpoints/reference.ts'
import { accessSeeds } from './seeds-access.ts'
import { contractSeeds } from './seeds-contract.ts'
import { disclosureSeeds } from './seeds-disclosure.ts'
import { mixupSeeds } from './seeds-mixups.ts'
import { payloadSeeds } from './seeds-payload.ts'
import { endpoint, LUMEN, NORTHWIND, type Parts, type Seed } from './seed.ts'

/** Every seed that runs in process. */
export const SEEDS: readonly Seed[] = [
  ...mixupSeeds,
  ...disclosureSeeds,
  ...accessSeeds,
  ...payloadSeeds,
  ...contractSeeds,
]

/** Two customers with their texts, and the secret: what the guide says to pass. */
export const OPTIONS: CheckOptions = {
  headers: HEADERS,
  expectAuth: true,
  customers: [NORTHWIND, LUMEN].map(({ id, name }) => ({ ids: { account_id: id }, shows: [name] })),
}

/** Checks an endpoint in process, over connections that remember their state. */
export function checkParts(parts: Parts, options: CheckOptions = {}): Promise<Report> {
  const handle = endpoint(parts)
  return check('http://127.0.0.1:1/', {
    ...OPTIONS,
    fetch: (request) => handle(request),
    openConnection() {
      const connection = {}
      return {
        send: (request) => handle(request, connection),
        wasReused: () => true,
        hasExtraBytes: () => false,
        close: () => undefined,
      }
    },
    sleep: async () => undefined,
    ...options,
  })
}

/** `found` by the right rule in a failing run, `advised` by a warning of it, or `missed`. */
export type Outcome = 'found' | 'advised' | 'missed'

export function evaluateSeed(
  { results, verdict }: Report,
  { rules }: Pick<Seed, 'rules'>,
): Outcome {
  const isRight = (rule: string) =>
    rules.some((each) => (each.endsWith('*') ? rule.startsWith(each.slice(0, -1)) : rule === each))
  const reported = results.filter(({ rule, findings }) => findings.length > 0 && isRight(rule))
  if (verdict === 'violates' && reported.some(({ status }) => status === 'fail')) return 'found'
  return reported.length > 0 ? 'advised' : 'missed'
}

/** Returns the rules that a conformant endpoint must not violate, and does. */
export function redRules({ results }: Report): readonly string[] {
  return results.filter(({ status }) => status === 'fail').map(({ rule }) => rule)
}
