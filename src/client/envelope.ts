import type { Pagination } from '../contract/resources.ts'
import { type ClientError, createError, type NamedCall } from './errors.ts'
import type { CompletedResponse } from './transport.ts'

/** The envelope of one page of a list. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly pagination?: Pagination
  readonly request_id?: string
}

/** Parses a JSON body. @throws {ClientError} `invalid_response` */
export function parseJson(response: CompletedResponse, call: NamedCall): unknown {
  if (response.body.text.trim() === '') throw invalid(response, call, 'the response is empty')
  if (!response.body.isUtf8) throw invalid(response, call, 'the response is not valid UTF-8')
  try {
    return JSON.parse(response.body.text) as unknown
  } catch {
    throw invalid(response, call, 'the response is not JSON')
  }
}

/**
 * Parses an envelope.
 *
 * @throws {ClientError} `invalid_response` if `data` is not the expected kind of value
 */
export function parseEnvelope<E extends { readonly data: unknown }>(
  response: CompletedResponse,
  call: NamedCall,
  expected: 'object' | 'array',
): E {
  const envelope = parseJson(response, call)
  if (!isObject(envelope)) throw invalid(response, call, 'the response is not a JSON object')
  const { data } = envelope
  if (expected === 'array' ? !Array.isArray(data) : !isObject(data)) {
    throw invalid(response, call, `the response has no ${expected} in \`data\``, envelope)
  }
  return envelope as E
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(
  { status, headers, attempts, redact }: CompletedResponse,
  call: NamedCall,
  problem: string,
  envelope: Readonly<Record<string, unknown>> = {},
): ClientError {
  const { request_id: id } = envelope
  const requestId = typeof id === 'string' ? id : (headers.get('x-request-id') ?? undefined)
  const details = { status, attempts, requestId: requestId && redact(requestId) }
  return createError('invalid_response', call, problem, details)
}
