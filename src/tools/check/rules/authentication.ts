import { assumed, harm, inGroup } from '../../service/response-rule.ts'
import { containsText, createTextFinder } from '../../internal/shown-text.ts'
import { type Customer, ID_KINDS, isPassed } from '../customers.ts'
import { findPlace } from '../responses/leaks.ts'
import { customersOf } from '../responses/roles.ts'
import { ownTexts } from '../responses/isolation.ts'
import { keyOf } from '../responses/leak.ts'
import { readObject, readPayload, type PlacedText } from '../../service/responses/reading.ts'
import { createTruths } from '../responses/truths.ts'
import { WITHOUT } from '../probes/auth-variants.ts'
import type { Evidence } from '../probes/evidence.ts'
import type { DataProbe, ProbeOf } from '../probe.ts'
import {
  findFirst,
  joinNames,
  notApplicable,
  PASSED,
  skipped,
  unproven,
  violation,
} from './rule.ts'
import type { CheckRule, CheckViolation, RuleOutcome } from './rule.ts'

const SENT =
  'Custom headers configured on the app are sent with every request to the endpoint. The contract does not say that the endpoint must check them.'

type AuthProbe = ProbeOf['authHandshake' | 'authData']

/** Kinds of requests whose rejection does not show that the endpoint requires a secret. */
const UNCLEAR: ReadonlySet<AuthProbe['kind']> = new Set(['single', 'unusual'])

const WHY =
  'The URL is not secret, and responses contain customer data. This fails a run that expects authentication, or in which other unauthenticated requests are rejected.'

/** Evaluates one kind of request with one kind of missing or wrong secret. */
function unauthenticated(
  of: 'handshake' | 'data',
  kind: 'missing' | 'wrong',
): Omit<CheckRule, 'group'> {
  const request = of === 'handshake' ? 'handshake' : 'data fetch'
  const also = kind === 'missing' ? 'unusual' : 'blanks'
  const plural = of === 'handshake' ? 'Handshakes' : 'Data fetches'
  return {
    id: `auth-${of}-${kind}`,
    title: `${plural} ${kind === 'missing' ? 'without the secret' : 'with a wrong secret'} are rejected`,
    ...assumed('authentication', SENT),
    fix:
      kind === 'missing'
        ? `Return 401 for a ${request} without the header, before anything else.`
        : 'Compare the complete header value in constant time, and return 401 if it differs.',
    why: WHY,
    isHarmful: true,
    evaluate(evidence) {
      const probes = evidence
        .of(of === 'handshake' ? 'authHandshake' : 'authData')
        .filter((each) => each.kind === kind || each.kind === also)
      if (evidence.credentials.length === 0) {
        return notApplicable('no custom header with a secret was sent')
      }
      const outcome = evaluateAccepted(evidence, request, probes)
      // Only a response with the secret shows what a rejection lacks.
      const isProven = probes.length > 0 && probes.every((each) => canCompare(each, evidence))
      return outcome === PASSED && !isProven
        ? skipped(`no ${request} succeeded with the headers`)
        : outcome
    },
  }
}

function evaluateAccepted(
  evidence: Evidence,
  request: string,
  probes: readonly AuthProbe[],
): RuleOutcome {
  const accepted = probes.filter((each) => isAccepted(each, evidence))
  const open = accepted.filter(({ kind }) => kind !== 'blanks')
  if (accepted.length === 0) return PASSED
  const rejectsSome = evidence
    .of('authHandshake', 'authData')
    .some((each) => !UNCLEAR.has(each.kind) && isRejected(each, evidence))
  const { expectAuth } = evidence.settings
  const names = accepted.map(({ description }) => description)
  // The request on a reused connection is only listed if it is rejected on a new one.
  const own = names.filter((name) => !names.some((other) => name.startsWith(`${other}, `)))
  const message = `a ${request} ${joinNames(own)} was accepted`
  // A caller that adds blanks knows the secret, so this is only a warning.
  const warning = { fails: false, fix: 'Compare the value without trimming.' }
  const fails = expectAuth === true || (expectAuth === 'detect' && rejectsSome)
  const found = open.length === 0 ? warning : { fails }
  return {
    ...violation({ message, ...found }),
    ...(open.length > 0 && request === 'data fetch' && openProof(evidence.settings)),
  }
}

/**
 * Returns the missing proof, unless `--no-expect-auth` says that the endpoint is
 * open on purpose.
 */
function openProof({ expectAuth }: Evidence['settings']): { readonly proof?: string } {
  const proof =
    'require a secret and pass it with -H, or pass --no-expect-auth if everyone may read the data'
  return expectAuth === false ? {} : { proof }
}

/** Returns whether a request of the same kind for the same customer succeeded with the secret. */
function canCompare(probe: AuthProbe, { of }: Evidence): boolean {
  if ('readable' in probe) return of('handshake').some(({ readable }) => readable)
  const { customer } = probe
  return of('sample', 'alone').some(
    (each) =>
      each.payload !== undefined && (!isPassed(customer) || each.customer.name === customer.name),
  )
}

/** Returns whether the response is equivalent to one with the secret for the same customer. */
function isAccepted(probe: AuthProbe, evidence: Evidence): boolean {
  if ('readable' in probe) return probe.readable
  const { customer, payload } = probe
  if (payload === undefined) return false
  const isLike = (each: DataProbe) =>
    each.payload !== undefined && readPayload(each.payload).shape === readPayload(payload).shape
  const own = evidence
    .of('sample', 'alone', 'named')
    .filter((each) => each.customer.name === customer.name)
  // A payload of another shape may be a rejection, such as the text "not authorized". So may one
  // for a made-up customer that looks like the rejection for a passed one.
  const isRejection = (each: ProbeOf['authData']) =>
    isPassed(each.customer) && isLike(each) && !isAccepted(each, evidence)
  return own.some(isLike) && (isPassed(customer) || !evidence.of('authData').some(isRejection))
}

/**
 * Returns whether the endpoint rejected the request with a response, not with a
 * broken connection.
 */
function isRejected(each: AuthProbe, evidence: Evidence): boolean {
  return each.exchange.failure === undefined && !isAccepted(each, evidence)
}

/** Returns the responses with data. Those for a made-up customer may say that it is unknown. */
function dataReads({ of }: Evidence): readonly DataProbe[] {
  return of('sample', 'alone').filter(
    ({ role, customer }) => role === 'sample' || isPassed(customer),
  )
}

/** Returns the texts of each response with data. A rejection may repeat the requested IDs. */
function readData(evidence: Evidence): ReadonlyArray<readonly PlacedText[]> {
  const isData = ({ isClosed, place, text }: PlacedText, { ids }: Customer) =>
    !isClosed &&
    !place.startsWith('|') &&
    ID_KINDS.every(([name]) => text !== ids[name]?.trim().toLowerCase())
  return dataReads(evidence)
    .map(({ payload, customer }) =>
      readPayload(payload).texts.filter((text) => isData(text, customer)),
    )
    .filter((each) => each.length > 0)
}

/** Returns functions that find texts that only one customer's data contains, and no request. */
function findOwnTexts(evidence: Evidence) {
  const reads = dataReads(evidence)
  const others = [...reads, ...evidence.of('fake')]
  const ids = reads.flatMap(({ customer }) => ID_KINDS.map(([name]) => customer.ids[name] ?? ''))
  return customersOf(reads)
    .flatMap((customer) => ownTexts(customer, others))
    .filter(({ text }) => ids.every((id) => !containsText(text, id)))
    .map(({ text }) => createTextFinder(text))
}

/** Finds rejections whose status tells whether a customer exists, or that the endpoint looked for it. */
function findOracle(rejected: readonly AuthProbe[]): CheckViolation | undefined {
  const fix = 'Check the secret before the customer is looked up.'
  const cached = rejected.find(({ exchange }) => exchange.response?.status === 304)
  if (cached !== undefined) return { message: `${cached.name}: returned 304`, fails: false, fix }
  const statuses = (isKnown: boolean) =>
    new Set(
      rejected
        .filter(
          ({ description }) => description.endsWith(WITHOUT) && !/ only the /.test(description),
        )
        .filter((each) => 'customer' in each && isPassed(each.customer) === isKnown)
        .map(({ exchange }) => exchange.response?.status),
    )
  const [known, invented] = [statuses(true), statuses(false)]
  if (known.size !== 1 || invented.size !== 1 || invented.has([...known][0])) return undefined
  const message = `without the secret, a known customer gets ${[...known][0]}, and an unknown one ${[...invented][0]}`
  return { message, fails: false, fix }
}

/** The rules about authentication, in the order of reports. */
export const authenticationRules = inGroup<CheckRule>('authentication', [
  {
    id: 'auth-none',
    title: 'Customer data requires authentication',
    ...assumed('authentication', SENT),
    fix: 'Require a secret in a custom header. Configure the header on the app, and send it with the check.',
    why: 'The check sent no secret header and received data. Anyone who knows or guesses the URL can get it.',
    evaluate({ credentials, of, settings }) {
      if (credentials.length > 0) return notApplicable('custom headers were sent')
      const hasData = of('sample').some(({ payload }) => payload !== undefined)
      if (!hasData) return skipped('no data was returned')
      const fails = settings.expectAuth === true
      const found = violation({ message: 'data was returned without a secret', fails })
      return { ...found, ...openProof(settings) }
    },
  },
  unauthenticated('handshake', 'missing'),
  unauthenticated('handshake', 'wrong'),
  unauthenticated('data', 'missing'),
  unauthenticated('data', 'wrong'),
  {
    id: 'auth-rejection-data',
    title: 'Rejected requests get no customer data',
    ...harm('authentication', SENT),
    fix: 'End the request after the rejection, before any data is loaded.',
    why: 'A status such as 401 does not protect the body. A common cause is middleware that sets the status and then calls the handler.',
    evaluate(evidence) {
      const probes = evidence.of('authData').filter((each) => isRejected(each, evidence))
      if (evidence.credentials.length === 0) {
        return notApplicable('no custom header with a secret was sent')
      }
      if (probes.length === 0) {
        return evidence.of('authData').length === 0
          ? skipped('no data fetch got a response')
          : notApplicable('no data fetch was rejected')
      }
      const truths = createTruths(evidence.settings)
      const whole = readData(evidence)
      const single = findOwnTexts(evidence)
      if (truths.length === 0 && single.length === 0 && whole.length === 0) {
        return unproven(
          'the data contains only the requested IDs',
          "pass a text of the customer's data with --shows",
        )
      }
      const found = findFirst(probes, ({ exchange, customer }) => {
        const own = truths.filter((each) => each.name === customer.name)
        const finders = [...own.map(({ isShownIn }) => isShownIn), ...single]
        const path = findPlace(exchange, (text) => finders.some((find) => find(text)))
        if (path !== undefined) {
          return { path, message: 'the rejection contains data of the customer' }
        }
        const body = new Set(readPayload(readObject(exchange.response?.text)).texts.map(keyOf))
        const isWhole = whole.some((texts) => texts.every((text) => body.has(keyOf(text))))
        return isWhole ? { message: 'the rejection contains the data' } : undefined
      })
      return violation(found ?? findOracle(probes))
    },
  },
  {
    id: 'auth-header-unread',
    isAdvice: true,
    title: 'Every secret header is required',
    ...assumed('authentication', SENT),
    fix: 'Compare every secret header, or remove the one that is not needed from the app.',
    why: 'The check sent several secret headers, and the endpoint accepts requests without one of them. This may be intended. If it is not, the header protects nothing.',
    evaluate(evidence) {
      const { credentials, of } = evidence
      if (credentials.length < 2)
        return notApplicable('fewer than two custom headers with a secret were sent')
      const probes = of('authHandshake', 'authData')
      const without = probes.filter(({ kind }) => kind === 'missing')
      if (!without.some((each) => isRejected(each, evidence))) {
        return skipped('no request without the headers was rejected')
      }
      const names = credentials.filter((name) => {
        const single = probes.filter((each) => each.omitted === name)
        return single.length > 0 && single.every((each) => isAccepted(each, evidence))
      })
      // If each header can be omitted, any one of them may be enough, which may be intended.
      if (names.length === credentials.length) return PASSED
      const list = names.map((name) => `"${name}"`).join(', ')
      return names.length === 0 ? PASSED : violation({ message: `not required: ${list}` })
    },
  },
])
