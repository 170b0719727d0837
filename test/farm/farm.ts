import { check } from '../../src/tools/check/index.ts'
import type { CheckOptions, Report } from '../../src/tools/check/index.ts'
import { createTransport } from '../../src/tools/cli/transport/transport.ts'
import { HEADERS } from '../fixtures/endpoints/reference.ts'
import { goSeeds } from './languages/go.ts'
import { phpSeeds } from './languages/php.ts'
import type { createLauncher } from './languages/program.ts'
import type { ProgramSeed } from './languages/program-seed.ts'
import { pythonAccessSeeds } from './languages/python-access.ts'
import { pythonContractSeeds } from './languages/python-contract.ts'
import { rubySeeds } from './languages/ruby.ts'
import { accessSeeds } from './seeds-access.ts'
import { contractSeeds } from './seeds-contract.ts'
import { disclosureSeeds } from './seeds-disclosure.ts'
import { mixupSeeds } from './seeds-mixups.ts'
import { payloadSeeds } from './seeds-payload.ts'
import { ruleSeeds } from './seeds-rules.ts'
import { situationSeeds } from './seeds-situations.ts'
import { endpoint, LUMEN, NORTHWIND, type Parts, type Seed, type SeedOptions } from './seed.ts'

/** Every seed that runs in process. */
export const SEEDS: readonly Seed[] = [
  ...mixupSeeds,
  ...situationSeeds,
  ...disclosureSeeds,
  ...accessSeeds,
  ...payloadSeeds,
  ...contractSeeds,
  ...ruleSeeds,
]

/** Every seed that is a program. */
export const PROGRAM_SEEDS: readonly ProgramSeed[] = [
  ...pythonAccessSeeds,
  ...pythonContractSeeds,
  ...rubySeeds,
  ...phpSeeds,
  ...goSeeds,
]

/** The groups of seeds that show data to the wrong person. */
export const HARM: ReadonlySet<string> = new Set([
  'another customer’s data',
  'authentication',
  'unknown customers',
])

const ids = [...SEEDS, ...PROGRAM_SEEDS].map(({ id }) => id)
const repeated = ids.filter((id, index) => ids.indexOf(id) !== index)
if (repeated.length > 0) throw new Error(`Seeds with the same ID: ${repeated.join(', ')}`)

/** Two customers with their texts, and the secret: what the guide says to pass. */
export const OPTIONS: CheckOptions = {
  headers: HEADERS,
  expectAuth: true,
  customers: [NORTHWIND, LUMEN].map(({ id, name }) => ({ ids: { account_id: id }, shows: [name] })),
}

/** Checks an endpoint in process, over connections that remember their state. */
export function checkParts(parts: Parts, more: SeedOptions = {}): Promise<Report> {
  const { target = 'http://127.0.0.1:1/', ...options } = more
  const handle = endpoint(parts)
  return check(target, {
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

/** Checks a defect or its conformant twin. A program is checked over HTTP, as the command does. */
export async function checkSeed(
  seed: Seed | ProgramSeed,
  which: 'defect' | 'twin',
  { start }: Pick<ReturnType<typeof createLauncher>, 'start'>,
): Promise<Report> {
  if (!('language' in seed)) {
    const { options } = seed
    return checkParts(seed[which]?.() ?? {}, { ...options?.both, ...options?.[which] })
  }
  const { url, close } = await start(seed, which)
  try {
    const { fetch, openConnection } = createTransport()
    return await check(url, { ...OPTIONS, fetch, openConnection })
  } finally {
    close()
  }
}

/** `found` by the right rule, which fails the run, `advised` by a warning of it, or `missed`. */
export type Outcome = 'found' | 'advised' | 'missed'

export function evaluateSeed(
  { results }: Pick<Report, 'results'>,
  { rules }: Pick<Seed, 'rules'>,
): Outcome {
  const isRight = (rule: string) =>
    rules.some((each) => (each.endsWith('*') ? rule.startsWith(each.slice(0, -1)) : rule === each))
  const reported = results.filter(({ rule, findings }) => findings.length > 0 && isRight(rule))
  if (reported.some(({ status }) => status === 'fail')) return 'found'
  return reported.length > 0 ? 'advised' : 'missed'
}

/** Returns the report of a run in which one rule could not fail. A rule reads only the evidence. */
export function weaken({ results }: Report, rule: string): Pick<Report, 'results'> {
  return {
    results: results.map((each) =>
      each.rule === rule ? { ...each, status: 'pass', findings: [] } : each,
    ),
  }
}

/** Returns the rules that a conformant endpoint must not violate, and does. */
export function redRules({ results }: Report): readonly string[] {
  return results.filter(({ status }) => status === 'fail').map(({ rule }) => rule)
}
