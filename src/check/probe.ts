import type { Redact } from '../internal/create-redactor.ts'
import type { DesignedCard, EndpointFailure } from '../service/endpoint-failures.ts'
import type { Exchange } from '../service/exchange.ts'
import type { DataFailureReason } from '../service/validate-data-response.ts'
import type { Finding } from '../service/rules/rule.ts'
import type { JsonObject } from '../service/json-object.ts'
import type { HandshakeFailureReason } from '../service/validate-handshake.ts'
import type { Customer } from './customers.ts'
import type { CheckProfile } from './options.ts'

/** One request and its response. */
export interface Probe {
  /** The name in reports, such as `handshake 2`. */
  readonly name: string
  readonly exchange: Exchange
  /** Whether the endpoint still limited the rate when the maximum wait was used up. */
  readonly rateLimited: boolean
}

/** A reason why a response violates the contract. */
export interface Problem<Reason extends string> {
  readonly reason: Reason
  /** The problem in one line, safe to print. */
  readonly message: string
}

/** A handshake with a unique code. */
export interface HandshakeProbe extends Probe {
  readonly code: string
  readonly ok: boolean
  /** All problems of the response. A wrong Content-Type does not hide problems of the body. */
  readonly problems: ReadonlyArray<Problem<HandshakeFailureReason>>
  /** Whether every rule about one response could be evaluated. */
  readonly readable: boolean
  /** The code that the response contained instead, if any. */
  readonly receivedCode: string | undefined
}

/** A handshake whose code contains characters that endpoints often change. */
export interface CharacterProbe extends HandshakeProbe {
  /** A description of the special characters, such as `a plus sign`. */
  readonly contains: string
  /** The contract does not specify `quoting`, so a failure is a warning at most. */
  readonly kind: 'query' | 'quoting'
}

/** A data fetch for one customer. */
export interface DataProbe extends Probe {
  readonly customer: Customer
  readonly ok: boolean
  readonly problems: ReadonlyArray<Problem<DataFailureReason>>
  /** The JSON object of the response, even under a wrong Content-Type. */
  readonly payload: JsonObject | undefined
  /** The findings of the rules about payloads. */
  readonly findings: readonly Finding[]
  /** The failures that the endpoint reports itself. */
  readonly failures: readonly EndpointFailure[]
  /** The designed card that the agent sees instead of data, if any. */
  readonly card: DesignedCard | undefined
}

/** A well-formed data fetch that the service may send in the future. */
export interface FutureProbe extends DataProbe {
  readonly kind: 'extra_parameter' | 'other_order' | 'no_issue' | 'no_requester'
}

/** A request that the service never sends. */
export interface InvalidRequestProbe extends Probe {
  readonly kind:
    | 'no_request_type'
    | 'unknown_request_type'
    | 'no_code'
    | 'empty_code'
    | 'two_codes'
    | 'broken_encoding'
}

/** A request without the right credentials. */
export interface AuthProbe<Of extends Probe = Probe> {
  /** A description of the changed headers, such as `without the headers`. */
  readonly description: string
  readonly kind: 'missing' | 'wrong' | 'blanks'
  /** The values that were sent instead. */
  readonly values: readonly string[]
  readonly probe: Of
}

/** Two requests on one connection. */
export interface ReuseProbe {
  readonly first: HandshakeProbe
  /** Absent if the endpoint closed the connection, or the first handshake failed. */
  readonly second?: HandshakeProbe
}

/** Everything that a check recorded about an endpoint. It is the only input of the rules. */
export interface Evidence {
  readonly url: URL
  /** False for a target in process. */
  readonly overNetwork: boolean
  readonly profile: CheckProfile
  readonly timeoutMs: number
  readonly maxP95Ms: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The names of the custom headers that authenticate. */
  readonly credentials: readonly string[]
  /** Replaces the values of the headers in text that is about to be shown. */
  readonly redact: Redact
  readonly expectAuth: boolean | 'detect'
  /** Whether IDs were passed that the endpoint may know. */
  readonly hasCustomIds: boolean
  readonly handshakes: readonly HandshakeProbe[]
  readonly characters: readonly CharacterProbe[]
  /** Data fetches for one customer, the first before everything else. */
  readonly samples: readonly DataProbe[]
  /** Data fetches for the other customers that were passed. */
  readonly knownCustomers: readonly DataProbe[]
  /** Data fetches for made-up customers, concurrent with some of the samples. */
  readonly fakeCustomers: readonly DataProbe[]
  readonly parameters: {
    readonly absentIds?: DataProbe | undefined
    readonly emptyIds?: DataProbe | undefined
    readonly specialEmail?: DataProbe | undefined
  }
  readonly future: readonly FutureProbe[]
  readonly invalidRequests: readonly InvalidRequestProbe[]
  readonly auth: {
    readonly handshake: ReadonlyArray<AuthProbe<HandshakeProbe>>
    readonly data: ReadonlyArray<AuthProbe<DataProbe>>
  }
  /** Requests that carried an extra header with this value. */
  readonly canary: {
    readonly value: string
    /** The regular data fetch among them. */
    readonly data: DataProbe | undefined
    readonly probes: readonly Probe[]
  }
  /** Requests that are only measured. */
  readonly repeats: {
    readonly handshakes: readonly HandshakeProbe[]
    readonly data: readonly DataProbe[]
  }
  readonly reuse?: ReuseProbe
  /** A handshake after the invalid requests, if one of them broke the connection. */
  readonly finalHandshake?: HandshakeProbe
  /** Requests that the endpoint rejected because of their rate. */
  readonly rateLimited: readonly Probe[]
  /** The total time that the check waited for the rate limit, in milliseconds. */
  readonly waitedMs: number
}

/** Returns every regular data fetch: those the service itself could have sent. */
export function regularDataProbes(evidence: Evidence): readonly DataProbe[] {
  const { absentIds, emptyIds, specialEmail } = evidence.parameters
  return [
    ...evidence.samples,
    ...evidence.knownCustomers,
    ...evidence.fakeCustomers,
    ...[absentIds, emptyIds, specialEmail, evidence.canary.data].filter(
      (probe) => probe !== undefined,
    ),
    ...evidence.repeats.data,
  ]
}

/** Returns every probe, in the order of the check. */
export function allProbes(evidence: Evidence): readonly Probe[] {
  const { auth, canary, reuse } = evidence
  return [
    ...evidence.handshakes,
    ...evidence.characters,
    ...regularDataProbes(evidence),
    ...evidence.future,
    ...evidence.invalidRequests,
    ...auth.handshake.map(({ probe }) => probe),
    ...auth.data.map(({ probe }) => probe),
    ...canary.probes.filter((probe) => probe !== canary.data),
    ...evidence.repeats.handshakes,
    ...[reuse?.first, reuse?.second, evidence.finalHandshake].filter(
      (probe) => probe !== undefined,
    ),
  ]
}
