import type { OperationId } from '../../contract/operations.ts'
import type { Redact } from '../../internal/create-redactor.ts'
import type { LinkUse } from '../../service/links.ts'

/** A request of the service to the endpoint, or of a visitor. */
export interface EndpointRequest {
  readonly kind: 'verify' | 'fetch_data' | 'other'
  readonly method: string
  /** In the order sent. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** In lowercase, in the order received; empty if the file does not say. */
  readonly headerNames: readonly string[]
  /** The same number for the same URL. */
  readonly urlNumber: number
  /** Whether the path is that of handshakes and data fetches. */
  readonly isEndpointPath: boolean
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** Absent if there was no response. */
  readonly status?: number
  /** Milliseconds until the service closed the connection without waiting for the response. */
  readonly abortedAfterMs?: number
  /** The link of a payload that this request opens. */
  readonly link?: LinkUse
}

/** A call of the service's API and its response. */
export interface ApiCall {
  readonly operation: OperationId
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly startedAt: number
  readonly durationMs: number
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown
}

/** The requests of a file. */
export interface Traffic {
  readonly format: 'har' | 'recording'
  /** Data fetches that did not get a 401: a 401 may be the response to a visitor. */
  readonly fetches: readonly EndpointRequest[]
  /** Handshakes that did not get a 401. */
  readonly handshakes: readonly EndpointRequest[]
  /** Requests without a valid `request_type`, and requests for other paths. */
  readonly others: readonly EndpointRequest[]
  readonly calls: readonly ApiCall[]
  /** The number of handshakes and data fetches that got a 401. */
  readonly rejected: number
  /** The number of entries that belong to none of these, such as requests of the emulator. */
  readonly ignored: number
  /** The number of links in the payloads. */
  readonly links: number
  /** When the last request of the file ended, in milliseconds since 1970. */
  readonly endsAt: number
  /** Replaces the IDs, secrets and hosts of the file. */
  readonly redact: Redact
}

/** Returns the values of a parameter. */
export function valuesOf(
  { parameters }: Pick<EndpointRequest, 'parameters'>,
  name: string,
): readonly string[] {
  return parameters.flatMap(([each, value]) => (each === name ? [value] : []))
}

/** Returns the largest number, or 0. Spreading a large array into `Math.max()` fails. */
export function maximum(values: readonly number[]): number {
  return values.reduce((left, right) => Math.max(left, right), 0)
}

/** Returns the smallest number, or 0. */
export function minimum(values: readonly number[]): number {
  return values.reduce((left, right) => Math.min(left, right), values[0] ?? 0)
}
