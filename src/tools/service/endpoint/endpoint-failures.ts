import type { PayloadIssue } from '../../../runtime/contract/issues.ts'
import { errorMessage } from '../../../runtime/internal/error-message.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import {
  isIssue,
  parseErrorDetails,
  type Failure,
  type FailureDetail,
} from '../../../runtime/internal/failure-detail.ts'
import { type FailureKind, parseFailures } from '../../../runtime/internal/failure-header.ts'
import {
  ERROR_HEADER,
  FAILURE_HEADER,
  OUTCOME_HEADER,
  TRACE_HEADER,
} from '../../../runtime/internal/headers.ts'
import { isArray, readProperty } from '../../../runtime/internal/hostile-values.ts'
import { callUserCode } from '../../../runtime/internal/user-code.ts'
import type { ExchangeResponse } from './exchange.ts'
import type { Finding } from '../response-rule.ts'

/** The error behind a failure. */
export interface FailureError extends Error {
  /** The validation issues of an invalid payload. */
  readonly issues?: readonly PayloadIssue[]
}

/** A failure that the endpoint reports in `x-sidecard-failure`. */
export interface EndpointFailure {
  /**
   * `unknown` if the header is malformed or names a failure that this version
   * does not recognize.
   */
  readonly kind: FailureKind | 'unknown'
  /** The title of the failed section. Only available in process and in development. */
  readonly section?: string
  /** The 0-based index of the first component that replaces the section. */
  readonly component?: number
  /** Whether the last successfully loaded content is shown instead. */
  readonly stale: boolean
  /**
   * Set if the request asked for this failure with a condition of the section, and
   * the endpoint reports that it applied the condition.
   */
  readonly intended?: boolean
  /** The trace ID in the log line of the failure. */
  readonly traceId?: string
  /**
   * The error: in process, the thrown one, and over HTTP, a copy that endpoints only
   * send in development.
   */
  readonly error?: FailureError
}

/** A card that is shown instead of customer data, without a failure. */
export type DesignedCard = 'not_found' | 'ambiguous' | 'not_available'

/**
 * Reads the failures of a response. `collected` contains the
 * failures that the app reported in process for the same response.
 */
export function readFailures(
  { headers }: ExchangeResponse,
  collected: readonly Failure[],
): readonly EndpointFailure[] {
  const traceId = headers[TRACE_HEADER]
  const trace = traceId === undefined ? {} : { traceId }
  const details = [
    ...collected.map((each) => toFailure(each, { traceId: each.traceId }, toError(each.error))),
    ...parseErrorDetails(headers[ERROR_HEADER]).map((each) =>
      toFailure(each, trace, each.error as FailureError),
    ),
  ]
  const failures = parseFailures(headers[FAILURE_HEADER]).map((reported): EndpointFailure => {
    const index = details.findIndex(
      ({ kind, component }) => kind === reported.kind && component === reported.component,
    )
    const [detail] = index === -1 ? [] : details.splice(index, 1)
    return { ...reported, ...trace, ...detail, stale: reported.stale }
  })
  // The header lists at most 20 failures. The details contain the others.
  return details.length === 0
    ? failures
    : [...failures.filter(({ kind }) => kind !== 'unknown'), ...details]
}

/**
 * Reads which card is shown instead of customer data. An unknown value counts as
 * `not_available`.
 */
export function readDesignedCard({ headers }: ExchangeResponse): DesignedCard | undefined {
  const outcome = headers[OUTCOME_HEADER]
  if (outcome === undefined) return undefined
  return outcome === 'not_found' || outcome === 'ambiguous' ? outcome : 'not_available'
}

const CARDS: Readonly<Record<DesignedCard, Pick<Finding, 'message' | 'fix'>>> = {
  not_found: {
    message: 'no customer matches these IDs',
    fix: 'Send the IDs of a customer that the endpoint knows, or check why it does not find this one.',
  },
  ambiguous: {
    message: 'several customers match these IDs',
    fix: 'Send an ID that belongs to one customer, or make the lookup more specific.',
  },
  not_available: {
    message: 'a required ID is missing',
    fix: 'Send the ID that the endpoint requires.',
  },
}

/** Returns the meaning of a designed card, and how to see data instead. */
export function explainCard(card: DesignedCard): Pick<Finding, 'message' | 'fix'> {
  const { message, fix } = CARDS[card]
  return { message: `${message}; the agent sees a card with this message`, fix }
}

function toFailure(
  { kind, section, component, stale = false }: Omit<FailureDetail, 'error'>,
  trace: Pick<EndpointFailure, 'traceId'>,
  error: FailureError,
): EndpointFailure {
  return {
    kind,
    ...(section !== undefined && { section }),
    ...(component !== undefined && { component }),
    stale,
    ...trace,
    error,
  }
}

/** Returns the thrown error, or an error that describes a thrown value of another type. */
function toError(thrown: unknown): FailureError {
  if (thrown instanceof Error || isErrorLike(thrown)) return thrown
  const text = typeof thrown === 'string' ? thrown : `a thrown ${typeof thrown}`
  return new Error(text, { cause: thrown })
}

/** Returns whether a value is an error, even of another realm, where `instanceof` fails. */
function isErrorLike(value: unknown): value is Error {
  return ['name', 'message'].every((name) => typeof readProperty(value, name) === 'string')
}

/**
 * Returns the validation issues of an error. Errors of other libraries, such as
 * zod, have issues of another shape, which their messages contain. Never throws.
 */
export function readIssues(error: FailureError | undefined): readonly PayloadIssue[] {
  const issues = readProperty(error, 'issues')
  const areIssues = callUserCode(() => isArray(issues) && issues.every(isIssue))
  return areIssues === true ? (issues as readonly PayloadIssue[]) : []
}

const TITLES: Readonly<Record<EndpointFailure['kind'], string>> = {
  callback_failed: 'fetchData failed',
  timeout: 'fetchData timed out',
  invalid_payload: 'fetchData returned an invalid payload',
  payload_too_large: 'the payload exceeds the limits',
  identity_failed: 'a lookup of identify() failed',
  section_failed: 'a section failed',
  section_timeout: 'a section timed out',
  unknown: 'the endpoint reports a failure',
}

/** The parts of a failure that a description needs. As in JSON, null means absent. */
interface DescribedFailure extends Pick<EndpointFailure, 'kind' | 'stale'> {
  readonly section?: string | null
  readonly traceId?: string | null
  readonly error?: unknown
}

/** Describes a failure in one line, safe to print: what failed, the error's message and the trace ID. */
export function describeFailure(failure: DescribedFailure): string {
  const { kind, section, stale, traceId, error } = failure
  const what = section == null ? TITLES[kind] : `${TITLES[kind]} (${escapeForDisplay(section, 80)})`
  const shown = stale ? '; stale content is shown' : ''
  const trace = traceId == null ? '' : ` (trace ID ${escapeForDisplay(traceId, 64)})`
  const [firstLine = '', ...lines] = errorMessage(error).split('\n')
  // The message of an invalid payload starts with the title.
  const sentence = firstLine.replace(`${TITLES[kind]}. `, '')
  // A list of validation issues and the JSON array of a zod error are joined into one line.
  const detail = /[:[{]$/.test(sentence)
    ? [sentence, ...lines.map((line) => line.trim())].join(' ')
    : sentence
  const message = detail === '' ? '' : `: ${escapeForDisplay(detail, 300)}`
  return `${what}${message}${shown}${trace}`
}
