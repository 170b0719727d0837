import type { DesignedCard, EndpointFailure } from '../service/endpoint/endpoint-failures.ts'
import type { Exchange } from '../service/endpoint/exchange.ts'
import type { DataFailureReason } from '../service/responses/validate-data-response.ts'
import type { InvalidResponse } from '../service/responses/invalid-response.ts'
import type { Finding } from '../service/response-rule.ts'
import type { JsonObject } from '../service/endpoint/json-object.ts'
import type { HandshakeFailureReason } from '../service/responses/validate-handshake.ts'
import type { Customer } from './customers.ts'
import type { SpecialText } from './probes/dimensions.ts'

/** One request and its response. */
export interface Probe {
  /** Why the request was sent. It decides which rules evaluate the response. */
  readonly role: Role
  /** The name in reports, such as `handshake 2`. */
  readonly name: string
  readonly exchange: Exchange
  /** Whether the endpoint still limited the rate at the end of the maximum wait. */
  readonly rateLimited: boolean
}

/** A handshake with a unique code. */
export interface HandshakeProbe extends Probe {
  readonly code: string
  readonly ok: boolean
  /** All problems of the response. A wrong Content-Type does not hide problems of the body. */
  readonly problems: ReadonlyArray<InvalidResponse<HandshakeFailureReason>>
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
  readonly problems: ReadonlyArray<InvalidResponse<DataFailureReason>>
  /** The JSON object of the response, even under a wrong Content-Type. */
  readonly payload: JsonObject | undefined
  /** The findings of the rules about payloads. */
  readonly findings: readonly Finding[]
  /** The failures that the endpoint reports itself. */
  readonly failures: readonly EndpointFailure[]
  /** The designed card that the agent sees instead of data, if any. */
  readonly card: DesignedCard | undefined
  /** The failures of the same request before it was repeated. */
  readonly earlier?: readonly EndpointFailure[]
  readonly special?: Partial<SpecialText>
  /** Whether a passed ID was changed, so that the customer may be unknown. */
  readonly isPassedId?: boolean
}

/** A data fetch with an unusual email address or ID. */
export interface UnusualProbe extends DataProbe {
  /** The starts of the changed values, which are unique. */
  readonly words: readonly string[]
  readonly special: Partial<SpecialText>
}

/** A well-formed data fetch that the service may send in the future. */
export interface FutureProbe extends DataProbe {
  readonly kind: 'extra-parameter' | 'parameter-order' | 'no-issue' | 'no-requester'
}

/** A request that the service never sends. */
export interface InvalidRequestProbe extends Probe {
  readonly kind: 'request_type' | 'code' | 'value' | 'encoding'
}

/** The parts of a request without the right credentials. */
export interface AuthFacts {
  /** A description of the changed headers, such as `without the headers`. */
  readonly description: string
  /**
   * `single`: without one of several headers, because one may be enough. Servers
   * that trim header values accept `blanks`, which is only a warning. `unusual`: without
   * the headers, in a request whose rejection may have a different reason.
   */
  readonly kind: 'missing' | 'wrong' | 'blanks' | 'single' | 'unusual'
  /** The header that a `single` request omits. */
  readonly omitted?: string
  /** The values that were sent instead. */
  readonly values: readonly string[]
}

/** The roles of data fetches for one customer, without anything unusual. */
type ReadRole = 'sample' | 'known' | 'alone' | 'fake' | 'absentIds' | 'emptyIds' | 'repeatedData'

/** The type of the probes of each role. */
export interface ProbeOf extends Readonly<Record<ReadRole, DataProbe>> {
  readonly handshake: HandshakeProbe
  readonly character: CharacterProbe
  readonly email: UnusualProbe
  readonly id: UnusualProbe
  /** A data fetch with IDs that resemble those of a passed customer. */
  readonly similar: DataProbe
  /** A data fetch with the IDs of a passed customer in a different letter case. */
  readonly otherCase: DataProbe
  /** A data fetch with an unknown email address at the domain of a passed one. */
  readonly sameDomain: DataProbe
  /** A data fetch with only one ID of a passed customer. */
  readonly named: DataProbe
  readonly canary: DataProbe & Canary
  readonly future: FutureProbe
  readonly invalid: InvalidRequestProbe
  readonly authHandshake: HandshakeProbe & AuthFacts
  readonly authData: DataProbe & AuthFacts
  /** The right secret, after the wrong ones. */
  readonly afterAuth: DataProbe | HandshakeProbe
  readonly invalidCanary: Probe & Canary
  readonly origin: DataProbe
  readonly repeatedHandshake: HandshakeProbe
  readonly reuse: HandshakeProbe & { readonly hasExtraBytes: boolean }
  readonly connected: DataProbe & { readonly hasExtraBytes: boolean }
  readonly last: HandshakeProbe
  /** A failed handshake that was sent again, because its cause may have been temporary. */
  readonly discarded: HandshakeProbe
}

/** A request that carried an extra header with this value. */
export interface Canary {
  readonly value: string
}

/** Why a request was sent. */
export type Role = keyof ProbeOf
