import { createRedactor } from '../internal/create-redactor.ts'
import type { Target } from '../service/target.ts'
import { runAuthProbes } from './auth-probes.ts'
import { runContractProbes, runFirstProbes } from './contract-probes.ts'
import type { ContractEvidence, FirstProbes, Plan } from './contract-probes.ts'
import { credentialNames } from './credentials.ts'
import { hasCustomIds, sampleCustomer } from './customers.ts'
import { runFutureProbes } from './future-probes.ts'
import { runInvalidRequestProbes } from './invalid-request-probes.ts'
import { createLimiter } from './limiter.ts'
import { runRepeats, runReuseProbe } from './measured-probes.ts'
import type { Settings } from './options.ts'
import { allProbes } from './probe.ts'
import type { AuthProbe, Evidence, Probe } from './probe.ts'
import { createProber } from './prober.ts'
import { createRateGate } from './rate-limit.ts'
import { connectionFailed } from './retry.ts'

const DEFAULT_CONCURRENCY = 8
const PRODUCTION_CONCURRENCY = 2
/**
 * For a slow endpoint that is not overloaded, a check with few concurrent
 * requests would take too long.
 */
const SLOW_CONCURRENCY = 20
const SLOW_FROM_MS = 250

/**
 * Sends all requests that the rules need: first one handshake and one data fetch,
 * then, if the endpoint responds, the samples. The requests that the service
 * never sends come last, because they may stop the endpoint.
 */
export async function collectEvidence(target: Target, settings: Settings): Promise<Evidence> {
  const { randomToken: random, openConnection } = settings
  const progress = trackProgress(settings)
  const gate = createRateGate(settings.maxWaitMs, settings.sleep)
  const context = { target, settings, gate, onResponse: () => progress.completed() }
  const prober = createProber(context)
  const customer = sampleCustomer(random, settings.customers[0])
  const plan: Plan = { prober, settings, customer, random, concurrency: DEFAULT_CONCURRENCY }
  const empty = emptyEvidence(target, settings, prober.url)
  const finish = (evidence: Partial<Evidence>) =>
    withoutRateLimited({ ...empty, ...evidence, waitedMs: gate.waitedMs() })

  progress.step('sending the first requests')
  const first = await runFirstProbes(plan)
  const initial = { handshakes: [first.handshake], samples: [first.data] }
  if (isUnreachable(first) || first.handshake.rateLimited || first.data.rateLimited) {
    return finish(initial)
  }

  progress.step('testing handshakes and data fetches')
  const steady = { ...plan, concurrency: concurrencyFor(first, settings) }
  const main = await runContractProbes(steady, first)
  const repeats = settings.repeat > 0 ? await runRepeats(plan) : empty.repeats
  const working = {
    handshake: main.handshakes.some(({ readable }) => readable),
    data: main.samples.some(({ payload }) => payload !== undefined),
    conformant: isConformant(main),
    anyCustomer: main.fakeCustomers.some(({ payload }) => payload !== undefined),
  }
  if ((!working.handshake && !working.data) || settings.profile === 'monitor') {
    return finish({ ...main, repeats })
  }

  progress.step('testing authentication and connections')
  const run = createLimiter(main.overloaded ? 1 : steady.concurrency)
  const credentials = credentialNames(settings.headers)
  const auth = await runAuthProbes(steady, working, credentials, run)
  const future = working.data ? await runFutureProbes(steady, run) : []
  const reuse =
    working.handshake && openConnection !== undefined
      ? await runReuseProbe(plan, openConnection)
      : undefined

  progress.step(settings.profile === 'full' ? 'sending invalid requests' : 'testing parameters')
  const invalid = await runInvalidRequestProbes(steady, working, run)
  const evidence = { ...main, repeats, auth, future, ...(reuse && { reuse }), ...invalid }
  if (!working.handshake || !invalid.invalidRequests.some(connectionFailed)) return finish(evidence)
  const finalHandshake = await prober.handshake('final handshake', random())
  return finish({ ...evidence, finalHandshake })
}

function emptyEvidence(target: Target, settings: Settings, url: URL): Evidence {
  const { headers } = settings
  const credentials = credentialNames(headers)
  return {
    url,
    overNetwork: typeof target === 'string' || target instanceof URL,
    profile: settings.profile,
    timeoutMs: settings.timeoutMs,
    maxP95Ms: settings.maxP95Ms,
    headers,
    credentials,
    redact: createRedactor(credentials.map((name) => headers[name] ?? '')),
    expectAuth: settings.expectAuth,
    hasCustomIds: settings.customers.some((ids) => hasCustomIds(ids)),
    handshakes: [],
    characters: [],
    samples: [],
    knownCustomers: [],
    fakeCustomers: [],
    parameters: {},
    future: [],
    invalidRequests: [],
    auth: { handshake: [], data: [] },
    canary: { value: '', data: undefined, probes: [] },
    repeats: { handshakes: [], data: [] },
    rateLimited: [],
    waitedMs: 0,
  }
}

/** A response that limits the rate is not evidence for any other rule. */
function withoutRateLimited(evidence: Evidence): Evidence {
  const rateLimited = allProbes(evidence).filter((probe) => probe.rateLimited)
  if (rateLimited.length === 0) return evidence
  const accepted = <Kind extends Probe>(probes: readonly Kind[]) =>
    probes.filter((probe) => !probe.rateLimited)
  const acceptedAuth = <Kind extends Probe>(probes: ReadonlyArray<AuthProbe<Kind>>) =>
    probes.filter(({ probe }) => !probe.rateLimited)
  const { parameters, auth, canary, repeats, reuse, finalHandshake, ...rest } = evidence
  return {
    ...rest,
    rateLimited,
    handshakes: accepted(evidence.handshakes),
    characters: accepted(evidence.characters),
    samples: accepted(evidence.samples),
    knownCustomers: accepted(evidence.knownCustomers),
    fakeCustomers: accepted(evidence.fakeCustomers),
    future: accepted(evidence.future),
    invalidRequests: accepted(evidence.invalidRequests),
    parameters: Object.fromEntries(
      Object.entries(parameters).filter(([, probe]) => probe?.rateLimited === false),
    ),
    auth: { handshake: acceptedAuth(auth.handshake), data: acceptedAuth(auth.data) },
    canary: {
      ...canary,
      data: canary.data?.rateLimited === true ? undefined : canary.data,
      probes: accepted(canary.probes),
    },
    repeats: { handshakes: accepted(repeats.handshakes), data: accepted(repeats.data) },
    ...(reuse !== undefined &&
      !reuse.first.rateLimited &&
      reuse.second?.rateLimited !== true && { reuse }),
    ...(finalHandshake?.rateLimited === false && { finalHandshake }),
  }
}

/** Returns whether every response so far conforms, each evaluated alone. */
function isConformant({ handshakes, characters, samples, knownCustomers }: ContractEvidence) {
  const decoded = characters.filter(({ kind }) => kind === 'query')
  const data = [...samples, ...knownCustomers]
  return (
    [...handshakes, ...decoded].every(({ readable }) => readable) &&
    data.every(({ payload, findings, failures }) => {
      const isBroken = findings.some(({ level }) => level === 'MUST')
      return payload !== undefined && !isBroken && failures.every(({ stale }) => stale)
    })
  )
}

function isUnreachable({ handshake, data }: FirstProbes): boolean {
  return [handshake, data].every(({ exchange }) => exchange.failure?.kind === 'unreachable')
}

function concurrencyFor({ handshake, data }: FirstProbes, { profile }: Settings): number {
  if (profile !== 'full') return PRODUCTION_CONCURRENCY
  const slowest = Math.max(handshake.exchange.durationMs, data.exchange.durationMs)
  return slowest >= SLOW_FROM_MS ? SLOW_CONCURRENCY : DEFAULT_CONCURRENCY
}

function trackProgress({ onProgress }: Settings) {
  let requests = 0
  let step = ''
  return {
    step(next: string) {
      step = next
      onProgress({ step, requests })
    },
    completed() {
      requests += 1
      onProgress({ step, requests })
    },
  }
}
