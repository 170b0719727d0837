import type { Pagination } from '../contract/resources.ts'
import { ClientError } from './errors.ts'
import type { Answer, Call } from './transport.ts'

/** A list as the API answers it. */
export interface Page<T> {
  readonly data: readonly T[]
  readonly pagination?: Pagination
  readonly request_id?: string
}

/** The value of a JSON body. @throws {ClientError} `invalid_response` */
export function readJson(answer: Answer, call: Call): unknown {
  if (answer.body.text.trim() === '') throw invalid(answer, call, 'the answer is empty')
  try {
    return JSON.parse(answer.body.text) as unknown
  } catch {
    throw invalid(answer, call, 'the answer is not JSON')
  }
}

/** A single-object envelope. @throws {ClientError} `invalid_response` when `data` is not an object */
export function readSingle<T>(answer: Answer, call: Call): { readonly data: T } {
  const envelope = readObject(answer, call)
  if (!isObject(envelope['data']))
    throw invalid(answer, call, 'the answer has no object in `data`', envelope)
  return envelope as unknown as { readonly data: T }
}

/** A list envelope. @throws {ClientError} `invalid_response` when `data` is not an array */
export function readList<T>(answer: Answer, call: Call): Page<T> {
  const envelope = readObject(answer, call)
  if (!Array.isArray(envelope['data']))
    throw invalid(answer, call, 'the answer has no array in `data`', envelope)
  return envelope as unknown as Page<T>
}

/** The request id, in the envelope or in a header. */
export function requestIdOf(answer: Answer, envelope: unknown): string | undefined {
  const id = isObject(envelope) ? envelope['request_id'] : undefined
  return typeof id === 'string' ? id : (answer.headers.get('x-request-id') ?? undefined)
}

function readObject(answer: Answer, call: Call): Readonly<Record<string, unknown>> {
  const value = readJson(answer, call)
  if (!isObject(value)) throw invalid(answer, call, 'the answer is not an envelope')
  return value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(
  answer: Answer,
  { method, label }: Call,
  problem: string,
  value?: unknown,
): ClientError {
  const { status, attempts, hide } = answer
  const requestId = requestIdOf(answer, value)
  return new ClientError('invalid_response', `${method} ${label}: ${problem}.`, {
    status,
    attempts,
    requestId: requestId && hide(requestId),
  })
}
