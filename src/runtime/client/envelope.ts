import type { Pagination } from '../contract/resources.ts'
import { isRecord } from '../internal/read-options.ts'
import { tryJson } from '../internal/try-json.ts'
import { type ClientError, createError, type NamedCall } from './errors.ts'
import { warnAfterWrite } from './failure.ts'
import type { CompletedResponse } from './transport.ts'

/** The envelope of one page of a list. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly pagination?: Pagination
  readonly request_id?: string
}

const TOO_LARGE = 'the response body exceeds 10 MB'

/** Parses a JSON body. @throws {ClientError} `invalid_response` or `response_too_large` */
export function parseJson(response: CompletedResponse, call: NamedCall): unknown {
  const { text, truncated, isUtf8 } = response.body
  if (truncated) throw invalid(response, call, TOO_LARGE, {}, 'response_too_large')
  if (!isUtf8) throw invalid(response, call, 'the response is not valid UTF-8')
  const value = tryJson(text)
  if (value === undefined) throw invalid(response, call, 'the response is not JSON')
  return value
}

/**
 * Parses an envelope. In a list, a `data` of null is empty, and a cursor of null is
 * absent (A14).
 *
 * @throws {ClientError} `invalid_response` if `data` is not the expected kind of value
 */
export function parseEnvelope<E extends { readonly data: unknown }>(
  response: CompletedResponse,
  call: NamedCall,
  expected: 'object' | 'array',
): E {
  const envelope = parseJson(response, call)
  if (!isRecord(envelope)) throw invalid(response, call, 'the response is not a JSON object')
  const { data: given, pagination: next } = envelope
  const data = expected === 'array' && given === null ? [] : given
  if (expected === 'array' ? !Array.isArray(data) : !isRecord(data)) {
    throw invalid(response, call, `the response has no ${expected} in \`data\``, envelope)
  }
  if (isRecord(next) && next['cursor'] === null) Object.assign(next, { cursor: undefined })
  return { ...envelope, data } as unknown as E
}

function invalid(
  { status, headers, attempts, redact }: CompletedResponse,
  call: NamedCall,
  problem: string,
  envelope: Readonly<Record<string, unknown>> = {},
  code: 'invalid_response' | 'response_too_large' = 'invalid_response',
): ClientError {
  const { request_id: id } = envelope
  const requestId = typeof id === 'string' ? id : (headers.get('x-request-id') ?? undefined)
  const details = { status, attempts, requestId: requestId && redact(requestId) }
  return createError(code, call, problem + warnAfterWrite(call.method, { sent: true }), details)
}
