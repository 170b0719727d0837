import type { Redact } from '../internal/redact.ts'
import type { Exchange } from '../desk/exchange.ts'
import type { DataVerdict } from '../desk/data-answer.ts'
import type { Finding } from '../desk/rules/rule.ts'
import type { HandshakeVerdict } from '../desk/verify.ts'
import type { Customer } from './customers.ts'

/** One request of the plan and its answer. */
export interface Probe {
  /** What a report calls it, such as `handshake 2`. */
  readonly name: string
  readonly exchange: Exchange
}

/** A handshake with its own fresh code. */
export interface HandshakeProbe extends Probe {
  readonly code: string
  readonly verdict: HandshakeVerdict
}

/** A handshake whose code holds characters that are often decoded wrongly. */
export interface CharacterProbe extends HandshakeProbe {
  /** What the code holds, for a sentence: `a plus sign`. */
  readonly holds: string
  /** `quoting` is more than the contract promises: a warning at most. */
  readonly kind: 'query' | 'quoting'
}

/** A data fetch for one customer. */
export interface DataProbe extends Probe {
  readonly customer: Customer
  readonly verdict: DataVerdict
  /** What the rules of the payload say, when there is one. */
  readonly findings: readonly Finding[]
}

/** A request that the service never sends. */
export interface OddProbe extends Probe {
  readonly kind:
    | 'no_request_type'
    | 'unknown_request_type'
    | 'no_code'
    | 'empty_code'
    | 'two_codes'
    | 'broken_encoding'
}

/** A request without the right custom headers. */
export interface AuthProbe<Of extends Probe = Probe> {
  /** What was sent instead, for a sentence: `without the headers`. */
  readonly sent: string
  readonly lack: 'missing' | 'wrong'
  /** The values that were sent instead; none of them is a secret. */
  readonly values: readonly string[]
  readonly probe: Of
}

/** Everything that was learnt about an endpoint; rules look at nothing else. */
export interface Evidence {
  readonly url: URL
  /** False for a target in process. */
  readonly overNetwork: boolean
  readonly timeoutMs: number
  readonly headers: Readonly<Record<string, string>>
  /** Hides the values of the headers in text that is about to be shown. */
  readonly redact: Redact
  readonly expectAuth: boolean | 'detect'
  /** True when the caller gave ids of a customer that the endpoint may know. */
  readonly idsGiven: boolean
  readonly handshakes: readonly HandshakeProbe[]
  readonly characters: readonly CharacterProbe[]
  /** Fetches for one customer, the first before everything else. */
  readonly samples: readonly DataProbe[]
  /** Fetches for other customers, made at the same time as some of the samples. */
  readonly customers: readonly DataProbe[]
  readonly parameters: {
    readonly absentIds?: DataProbe | undefined
    readonly emptyIds?: DataProbe | undefined
    readonly specialEmail?: DataProbe | undefined
  }
  readonly odd: readonly OddProbe[]
  readonly auth: {
    readonly handshake: ReadonlyArray<AuthProbe<HandshakeProbe>>
    readonly data: ReadonlyArray<AuthProbe<DataProbe>>
  }
  /** Requests that carried one header more, with this value. */
  readonly canary: {
    readonly value: string
    /** The one of them that is a data fetch as any other. */
    readonly data: DataProbe | undefined
    readonly probes: readonly Probe[]
  }
  /** A handshake after the odd requests; only when one of them broke the connection. */
  readonly afterwards?: HandshakeProbe
}

/** Every probe of the evidence, in the order of the plan. */
export function allProbes(evidence: Evidence): readonly Probe[] {
  const { parameters, auth } = evidence
  return [
    ...evidence.handshakes,
    ...evidence.characters,
    ...evidence.samples,
    ...evidence.customers,
    ...[parameters.absentIds, parameters.emptyIds, parameters.specialEmail].filter(
      (probe) => probe !== undefined,
    ),
    ...evidence.odd,
    ...auth.handshake.map(({ probe }) => probe),
    ...auth.data.map(({ probe }) => probe),
    ...evidence.canary.probes,
  ]
}
