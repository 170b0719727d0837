import type { FailureView, WidgetOutcome } from '../../emulator/protocol/exchanges.ts'
import { describeFailure } from '../../service/endpoint-failures.ts'
import type { Verdict } from './reload.ts'

/** A failure as JSON. */
export interface FailureReport {
  readonly kind: FailureView['kind']
  readonly section: string | null
  readonly stale: boolean
  readonly traceId: string | null
  readonly name: string | null
  readonly message: string | null
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  readonly stack: string | null
}

/** The result of a data fetch as an agent sees it. */
export interface Load {
  readonly outcome: WidgetOutcome
  /** The problem in one line, and what to do; empty for `rendered`. */
  readonly message: string
  readonly fix: string
  readonly failures: readonly FailureView[]
}

/** A data fetch after a save. */
export interface LoadReport {
  readonly verdict: Verdict
  readonly files: readonly string[]
  /** The name of the app. */
  readonly app: string
  /** The customer or the state that was requested, if the project has it. */
  readonly customer: string | null
  readonly durationMs: number
  readonly load: Load
  /** Whether sections failed because the state says so. */
  readonly isRequested: boolean
}

/** Cards that an app shows on purpose instead of customer data. */
const DESIGNED: readonly string[] = ['not_found', 'ambiguous', 'not_available']

/** Returns whether a data fetch failed. Stale content and designed cards are not failures. */
export function isFailed({ outcome, failures }: Pick<Load, 'outcome' | 'failures'>): boolean {
  if (outcome === 'failed') return failures.some(({ stale }) => !stale) || failures.length === 0
  return outcome !== 'rendered' && !DESIGNED.includes(outcome)
}

/** Describes a failure in one line. */
export function describe({ kind, section, stale, traceId, error }: FailureView): string {
  return describeFailure({
    kind,
    stale,
    ...(section !== null && { section }),
    ...(traceId !== null && { traceId }),
    ...(error !== null && { error: { ...error, stack: error.stack ?? '' } }),
  })
}

/** Describes a failure in one line, with the file and the line of the error. */
export function describeWithPlace(failure: FailureView): string {
  const { location = null } = failure.error ?? {}
  const line = describe(failure)
  return location === null ? line : `${line} at ${location.file}:${location.line}`
}

/** Converts a failure for programs. */
export function toFailureReport({
  kind,
  section,
  stale,
  traceId,
  error,
}: FailureView): FailureReport {
  const { name = null, message = null, stack = null, location = null } = error ?? {}
  const { file = null, line = null, column = null } = location ?? {}
  return { kind, section, stale, traceId, name, message, file, line, column, stack }
}
