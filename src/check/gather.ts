import type { Target } from '../desk/target.ts'
import { hasIds, mainCustomer, randomToken } from './customers.ts'
import type { CheckOptions, Settings } from './options.ts'
import { askContract, askFirst } from './plan-contract.ts'
import type { ContractAnswers, FirstAnswers, Plan } from './plan-contract.ts'
import { askOddly } from './plan-odd.ts'
import type { Evidence } from './probe.ts'
import { createProber } from './prober.ts'
import type { Prober } from './prober.ts'
import { brokeConnection } from './retry.ts'

/** Requests at the same time: few, unless the endpoint is so slow that few would take too long. */
const USUAL_WIDTH = 8
const SLOW_WIDTH = 20
const SLOW_FROM_MS = 250

/**
 * Asks everything that the rules want to know, once. First one handshake and
 * one data fetch; then, when there is anybody to talk to, the samples; last,
 * so that an endpoint which they bring down was judged before, the requests
 * that the service never sends.
 */
export async function gather(
  target: Target,
  options: CheckOptions,
  settings: Settings,
): Promise<Evidence> {
  const random = options.randomToken ?? randomToken
  const progress = trackProgress(options)
  const prober = createProber(target, options, settings, () => progress.answered())
  const customer = mainCustomer(random, settings.ids)
  const plan: Plan = { prober, settings, customer, random, width: USUAL_WIDTH }
  const nothing = noEvidence(target, settings, prober)

  progress.step('asking for the first time')
  const first = await askFirst(plan)
  const begun = { ...nothing, handshakes: [first.handshake], samples: [first.data] }
  if (isUnreachable(first)) return begun

  progress.step('shaking hands and fetching data')
  const steady = { ...plan, width: widthFor(first) }
  const main = await askContract(steady, first)
  const working = {
    handshake: main.handshakes.some(({ verdict }) => verdict.ok),
    data: main.samples.some(({ verdict }) => verdict.ok),
    clean: isClean(main),
    anyCustomer: main.customers.some(({ verdict }) => verdict.ok),
  }
  if (!working.handshake && !working.data) return { ...begun, ...main }

  progress.step('asking what the service never asks')
  const odd = await askOddly({ ...steady, width: main.crowded ? 1 : steady.width }, working)
  if (!working.handshake || !odd.odd.some(brokeConnection)) return { ...begun, ...main, ...odd }
  const afterwards = await prober.handshake('handshake at the end', random())
  return { ...begun, ...main, ...odd, afterwards }
}

function noEvidence(target: Target, settings: Settings, { caller }: Prober): Evidence {
  return {
    url: caller.url,
    overNetwork: typeof target === 'string' || target instanceof URL,
    timeoutMs: settings.timeoutMs,
    headers: settings.headers,
    redact: caller.redact,
    idsGiven: hasIds(settings.ids),
    expectAuth: settings.expectAuth,
    handshakes: [],
    characters: [],
    samples: [],
    customers: [],
    parameters: {},
    odd: [],
    auth: { handshake: [], data: [] },
    canary: { value: '', data: undefined, probes: [] },
  }
}

/** Every answer so far keeps the contract, as far as one answer can tell. */
function isClean({ handshakes, characters, samples }: ContractAnswers): boolean {
  const decoded = characters.filter(({ kind }) => kind === 'query')
  return (
    [...handshakes, ...decoded, ...samples].every(({ verdict }) => verdict.ok) &&
    samples.every(({ findings }) => findings.every(({ level }) => level !== 'MUST'))
  )
}

function isUnreachable({ handshake, data }: FirstAnswers): boolean {
  return [handshake, data].every(({ exchange }) => exchange.failure?.kind === 'unreachable')
}

function widthFor({ handshake, data }: FirstAnswers): number {
  const slowest = Math.max(handshake.exchange.durationMs, data.exchange.durationMs)
  return slowest >= SLOW_FROM_MS ? SLOW_WIDTH : USUAL_WIDTH
}

function trackProgress({ onProgress }: CheckOptions) {
  let requests = 0
  let step = ''
  return {
    step(next: string) {
      step = next
      onProgress?.({ step, requests })
    },
    answered() {
      requests += 1
      onProgress?.({ step, requests })
    },
  }
}
