import { credentialNames } from '../../service/endpoint/credentials.ts'
import type { Target } from '../../service/endpoint/target.ts'
import { runAuthProbes } from './auth-probes.ts'
import { runContractProbes, runFirstProbes } from './contract-probes.ts'
import type { FirstProbes, Plan } from './contract-probes.ts'
import { createCustomer } from '../customers.ts'
import { createEvidence, type Evidence, isUnreachable, responds } from './evidence.ts'
import { runFutureProbes } from './future-probes.ts'
import { runInvalidRequestProbes } from './invalid-request-probes.ts'
import { confirmSuspicions, runIsolationProbes } from './isolation-probes.ts'
import { runLastReads } from './last-reads.ts'
import { createLimiter } from './limiter.ts'
import { runRepeats, runReuseProbe } from './measured-probes.ts'
import type { Progress, Settings } from '../options.ts'
import type { HandshakeProbe, Probe } from '../probe.ts'
import { createProber } from './prober.ts'
import { createRateGate } from './rate-limit.ts'
import { selectRoles } from '../responses/roles.ts'

const DEFAULT_CONCURRENCY = 8
const PRODUCTION_CONCURRENCY = 2
/**
 * The concurrency for an endpoint that is slow but not overloaded, so that the
 * check does not take too long.
 */
const SLOW_CONCURRENCY = 20
const SLOW_FROM_MS = 250
const FINAL_PAUSE_MS = 300

/**
 * Sends all requests that the rules need: first one handshake and one data fetch,
 * then, if the endpoint responds, the samples. Requests that the service never
 * sends come last, because they may crash the endpoint.
 */
export async function collectEvidence(target: Target, settings: Settings): Promise<Evidence> {
  const { headers, randomToken: random, openConnection } = settings
  let progress: Progress = { step: '', requests: 0 }
  const advance = (change: Partial<Progress>) => {
    progress = { ...progress, ...change }
    settings.onProgress(progress)
  }
  const gate = createRateGate(settings.maxWaitMs, settings.sleep)
  const sent: Probe[] = []
  const prober = createProber({
    target,
    settings,
    gate,
    onResponse: () => advance({ requests: progress.requests + 1 }),
    onDiscard: (probe) => void sent.push(probe),
  })
  const customer = createCustomer(random, 'customer 1', settings.customers[0].ids)
  const plan: Plan = { prober, settings, customer, random, concurrency: DEFAULT_CONCURRENCY }
  const credentials = credentialNames(headers)
  const finish = () => {
    const facts = {
      settings,
      url: prober.url,
      overNetwork: typeof target === 'string' || target instanceof URL,
      credentials,
      waitedMs: gate.waitedMs(),
      requests: progress.requests,
    }
    return createEvidence(facts, sent)
  }

  advance({ step: 'sending the first requests' })
  const first = await runFirstProbes(plan)
  if (isUnreachable(first) || first.some(({ rateLimited }) => rateLimited)) {
    sent.push(...first)
    return finish()
  }

  advance({ step: 'testing handshakes and data fetches' })
  const steady = { ...plan, concurrency: concurrencyFor(first, settings) }
  const main = await runContractProbes(steady, first)
  sent.push(...main.sent, ...(await runRepeats(plan)))
  const working = {
    handshake: selectRoles(sent, ['handshake']).some(responds),
    data: selectRoles(sent, ['sample']).some(responds),
    payload: selectRoles(sent, ['sample', 'known']).some(({ payload }) => payload !== undefined),
  }
  if (!working.handshake && !working.data) return finish()

  const run = createLimiter(main.overloaded ? 1 : steady.concurrency)
  if (working.data) sent.push(...(await runIsolationProbes(steady, working.payload, run)))

  advance({ step: 'testing authentication and connections' })
  sent.push(...(await runAuthProbes(steady, working, credentials, sent, run)))
  if (working.data) sent.push(...(await runFutureProbes(steady, run)))
  if (working.handshake && openConnection !== undefined) {
    sent.push(...(await runReuseProbe(plan, openConnection, credentials, working.data)))
  }

  advance({ step: settings.profile === 'full' ? 'sending invalid requests' : 'testing parameters' })
  sent.push(...(await runInvalidRequestProbes(steady, working, run)))
  if (working.data) sent.push(...(await runLastReads(plan)))
  sent.push(...(await confirmSuspicions(plan, sent)))
  if (working.handshake) sent.push(...(await runFinalHandshake(plan)))
  return finish()
}

/**
 * Sends a handshake after a pause, in which an error that the check caused may
 * crash the endpoint. A supervisor may need a second pause to restart it.
 */
async function runFinalHandshake(plan: Plan): Promise<readonly HandshakeProbe[]> {
  const { prober, settings, random } = plan
  const send = async () => {
    await settings.sleep(FINAL_PAUSE_MS)
    return prober.handshake('last', 'final handshake', random())
  }
  const probe = await send()
  return probe.readable ? [probe] : [{ ...probe, role: 'discarded' }, await send()]
}

function concurrencyFor(first: FirstProbes, { profile }: Settings): number {
  if (profile !== 'full') return PRODUCTION_CONCURRENCY
  const slowest = Math.max(...first.map(({ exchange }) => exchange.durationMs))
  return slowest >= SLOW_FROM_MS ? SLOW_CONCURRENCY : DEFAULT_CONCURRENCY
}
