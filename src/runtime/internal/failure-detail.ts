import { decodeBase64Json, encodeBase64Json } from './base64-json.ts'
import { FAILURE_KINDS, type FailureKind } from './failure-header.ts'
import { isRecord } from './read-options.ts'

/**
 * The error behind a failure, for developers only. In process, the app passes each
 * failure to a collector in the raw bindings. Over HTTP, the header
 * `x-sidecard-error` contains the failures.
 */

/** A failure with the error itself, as the app reports it in process. */
export interface Failure {
  readonly kind: FailureKind
  /** The title of the section, for failures of one section. */
  readonly section?: string
  /** The 0-based index of the first component that replaces the section in the sent payload. */
  readonly component?: number
  /** Whether the last successfully loaded content is shown instead. */
  readonly stale: boolean
  readonly traceId: string
  /** The thrown value, unchanged. */
  readonly error: unknown
}

/** The key, in the raw bindings, of a function that receives each {@link Failure}. */
export const FAILURE_COLLECTOR: unique symbol = Symbol.for('sidecard.failures') as never

/** A function that receives failures in process. */
export type FailureCollector = (failure: Failure) => void

/** A validation issue in `x-sidecard-error`. */
export interface ErrorIssue {
  readonly path: string
  readonly code: string
  readonly message: string
  readonly fix: string
}

/** An error in `x-sidecard-error`. */
export interface ErrorDetail {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** The validation issues of an invalid payload. */
  readonly issues?: readonly ErrorIssue[] | undefined
}

/** A failure in `x-sidecard-error`. */
export interface FailureDetail {
  readonly kind: FailureKind
  readonly section?: string | undefined
  readonly component?: number | undefined
  readonly stale?: boolean | undefined
  readonly error: ErrorDetail
}

/** Encodes the value of `x-sidecard-error`: JSON in a structured-field byte sequence. */
export function serializeErrorDetails(details: readonly FailureDetail[]): string {
  return `:${encodeBase64Json(details)}:`
}

/** Decodes the value of `x-sidecard-error`. Returns no details for an unreadable value. */
export function parseErrorDetails(value: string | null | undefined): readonly FailureDetail[] {
  if (!value?.startsWith(':') || !value.endsWith(':') || value.length < 2) return []
  const details = decodeBase64Json(value.slice(1, -1))
  return Array.isArray(details) ? details.filter(isFailureDetail) : []
}

/** Returns whether a value from the endpoint's header is a failure. */
function isFailureDetail(value: unknown): value is FailureDetail {
  if (!isRecord(value) || !isRecord(value['error'])) return false
  const { kind, section, component, stale, error } = value
  const { name, message, stack, issues } = error
  return (
    FAILURE_KINDS.some((known) => known === kind) &&
    isOptional(section, 'string') &&
    isOptional(component, 'number') &&
    isOptional(stale, 'boolean') &&
    typeof name === 'string' &&
    typeof message === 'string' &&
    isOptional(stack, 'string') &&
    (issues === undefined || (Array.isArray(issues) && issues.every(isIssue)))
  )
}

/** Returns whether a value is a validation issue. */
export function isIssue(value: unknown): value is ErrorIssue {
  if (!isRecord(value)) return false
  const { path, code, message, fix } = value
  return [path, code, message, fix].every((text) => typeof text === 'string')
}

function isOptional(value: unknown, type: 'string' | 'number' | 'boolean'): boolean {
  return value === undefined || typeof value === type
}
