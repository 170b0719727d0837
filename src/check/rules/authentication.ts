import type { AuthProbe, DataProbe, Evidence, HandshakeProbe, Probe } from '../probe.ts'
import { likeness } from '../likeness.ts'
import { fault, KEPT, list, skipped } from './rule.ts'
import type { CheckRule, Judgement } from './rule.ts'

const SENT = {
  says: 'Custom headers configured on the app are sent with every request to the endpoint. That the endpoint must look at them is not shown.',
  anchor: 'authentication',
  basis: 'silence',
} as const

const WHY =
  'The address of an endpoint is no secret, and its answers are customer data. It is a warning, and a failure when --expect-auth is given, or when the endpoint refuses some requests without the right headers and answers others: then it means to look, and forgot a door.'

const none: CheckRule = {
  id: 'auth-none',
  group: 'authentication',
  level: 'ASSUMED',
  title: 'Customer data is not for everybody',
  contract: SENT,
  fix: 'Configure a custom header with a secret on the app, demand it in the endpoint, and give it here with -H.',
  why: 'The check sent no custom header and got data, so anybody who knows or guesses the address gets it, too.',
  judge(evidence) {
    if (Object.keys(evidence.headers).length > 0) return skipped('custom headers were given')
    return evidence.samples.some(({ verdict }) => verdict.ok)
      ? fault({ message: 'data was served to a request without any secret' })
      : skipped('no data was served')
  },
}

/** One rule for each kind of request and each way to lack the secret. */
function lacking(of: 'handshake' | 'data', lack: AuthProbe['lack']): CheckRule {
  const request = of === 'handshake' ? 'handshake' : 'data fetch'
  return {
    id: `auth-${of}-${lack}`,
    group: 'authentication',
    level: 'ASSUMED',
    title: `A ${request} with ${lack === 'missing' ? 'no secret' : 'a wrong secret'} is refused`,
    contract: SENT,
    fix:
      lack === 'missing'
        ? `Answer 401 to a ${request} without the header, before anything else.`
        : `Compare the whole header with the secret, in constant time, and answer 401 to a ${request} with another one.`,
    why: WHY,
    judge(evidence) {
      const probes = (of === 'handshake' ? evidence.auth.handshake : evidence.auth.data).filter(
        (each) => each.lack === lack,
      )
      if (probes.length === 0) {
        return skipped(
          Object.keys(evidence.headers).length === 0
            ? 'no custom header was given: use -H'
            : `no ${request} was right even with the headers`,
        )
      }
      return judgeAccepted(evidence, request, probes)
    },
  }
}

function judgeAccepted(
  evidence: Evidence,
  request: string,
  probes: readonly AuthProbe[],
): Judgement {
  const open = probes.filter((each) => isAccepted(each, evidence))
  if (open.length === 0) return KEPT
  const { handshake, data } = evidence.auth
  const refusesSome = [...handshake, ...data].some((each) => isRefused(each, evidence))
  const { expectAuth } = evidence
  return fault({
    message: `a ${request} ${list(open.map(({ sent }) => sent))} is answered`,
    fails: expectAuth === true || (expectAuth === 'detect' && refusesSome),
  })
}

/** Answered in full: as good as with the secret. */
function isAccepted({ probe }: AuthProbe, { samples }: Evidence): boolean {
  if (isHandshake(probe)) return probe.verdict.ok
  if (!isData(probe) || !probe.verdict.ok) return false
  const { value } = probe.verdict
  // A payload of another shape is a polite refusal: "not authorised" in a text.
  return samples.some(({ verdict }) => verdict.ok && likeness(verdict.value) === likeness(value))
}

/** Refused on purpose: with an answer, and not with silence. */
function isRefused(each: AuthProbe, evidence: Evidence): boolean {
  return each.probe.exchange.failure === undefined && !isAccepted(each, evidence)
}

function isHandshake(probe: Probe): probe is HandshakeProbe {
  return 'code' in probe
}

function isData(probe: Probe): probe is DataProbe {
  return 'customer' in probe
}

/** Every rule of authentication, in the order of the reports. */
export const authenticationRules: readonly CheckRule[] = [
  none,
  lacking('handshake', 'missing'),
  lacking('handshake', 'wrong'),
  lacking('data', 'missing'),
  lacking('data', 'wrong'),
]
