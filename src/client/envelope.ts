import type { Pagination } from '../contract/resources.ts'
import type { ClientError } from './errors.ts'
import { createError, type NamedCall } from './create-error.ts'
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

/** Parses a single-object envelope. @throws {ClientError} `invalid_response` if `data` is not an object */
export function parseSingle<T>(response: CompletedResponse, call: NamedCall): { readonly data: T } {
  const envelope = parseEnvelope(response, call)
  if (!isObject(envelope['data']))
    throw invalid(response, call, 'the response has no object in `data`', envelope)
  return envelope as unknown as { readonly data: T }
}

/** Parses a list envelope. @throws {ClientError} `invalid_response` if `data` is not an array */
export function parseList<T>(response: CompletedResponse, call: NamedCall): Page<T> {
  const envelope = parseEnvelope(response, call)
  if (!Array.isArray(envelope['data']))
    throw invalid(response, call, 'the response has no array in `data`', envelope)
  return envelope as unknown as Page<T>
}

/** Returns the request ID of the envelope or of a header. */
export function readRequestId(response: CompletedResponse, envelope: unknown): string | undefined {
  const id = isObject(envelope) ? envelope['request_id'] : undefined
  return typeof id === 'string' ? id : (response.headers.get('x-request-id') ?? undefined)
}

function parseEnvelope(
  response: CompletedResponse,
  call: NamedCall,
): Readonly<Record<string, unknown>> {
  const value = parseJson(response, call)
  if (!isObject(value)) throw invalid(response, call, 'the response is not a JSON object')
  return value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(
  response: CompletedResponse,
  call: NamedCall,
  problem: string,
  value?: unknown,
): ClientError {
  const { status, attempts, redact } = response
  const requestId = readRequestId(response, value)
  return createError('invalid_response', call, problem, {
    status,
    attempts,
    requestId: requestId && redact(requestId),
  })
}
