import type { Payload } from '../../runtime/contract/generated/types.ts'
import { createRedactor, type Redact } from '../../runtime/internal/create-redactor.ts'
import { redactValue } from '../internal/redact-value.ts'
import { anything, readOptions, required } from '../../runtime/internal/read-options.ts'
import type { Failure } from '../../runtime/internal/failure-detail.ts'
import type { SectionConditions } from '../../runtime/internal/section-conditions.ts'
import { isAsIntended } from './endpoint/as-intended.ts'
import { explainCard, readDesignedCard, readFailures } from './endpoint/endpoint-failures.ts'
import type { DesignedCard, EndpointFailure } from './endpoint/endpoint-failures.ts'
import { ENDPOINT_KINDS } from './endpoint/endpoint-options.ts'
import type { EndpointClientOptions, EndpointSettings } from './endpoint/endpoint-options.ts'
import { sendAndRead } from './endpoint/exchange.ts'
import type { Exchange } from './endpoint/exchange.ts'
import { secretsOf } from './endpoint/credentials.ts'
import { assertHeaders } from './endpoint/headers.ts'
import { fetchDataQuery, verifyQuery, withQuery } from './endpoint/query.ts'
import type { FetchDataIds, Query } from './endpoint/query.ts'
import { failureFindings } from './response-rules/reported-failures.ts'
import { dataFindings, handshakeFindings, payloadOutcome } from './response-rules/index.ts'
import { formatViolation, type Finding } from './response-rule.ts'
import { markIntended } from './testing/section-conditions.ts'
import { resolveTarget } from './endpoint/target.ts'
import type { Target } from './endpoint/target.ts'
import { validateDataResponse } from './responses/validate-data-response.ts'
import type { DataFailureReason } from './responses/validate-data-response.ts'
import { validateHandshake } from './responses/validate-handshake.ts'
import type { HandshakeForm, InvalidHandshake } from './responses/validate-handshake.ts'

/** The result of a handshake. */
export type HandshakeResult =
  | { readonly ok: true; readonly form: HandshakeForm; readonly exchange: Exchange }
  | (InvalidHandshake & {
      /** The fix, in one line. */
      readonly fix: string
      readonly findings: readonly Finding[]
      readonly exchange: Exchange
    })

interface FetchResult {
  /** The failures that the endpoint reports, also with a status of 500. */
  readonly failures: readonly EndpointFailure[]
  /** The problem, the first failure, or the reason for the designed card, in one line, safe to print; empty if the outcome is `rendered`. */
  readonly message: string
  /** The fix, in one line; empty if the outcome is `rendered`. */
  readonly fix: string
  readonly findings: readonly Finding[]
  readonly exchange: Exchange
}

/** A data fetch whose payload the agent sees. */
export interface ShownResult extends FetchResult {
  /**
   * - `rendered`: the complete widget.
   * - `failed`: the endpoint reports a failure; the payload contains a failure
   * card or stale content.
   * - `not_found`, `ambiguous`, `not_available`: a designed card instead of customer data.
   */
  readonly outcome: 'rendered' | 'failed' | DesignedCard
  readonly payload: Payload
  readonly value?: undefined
}

/** A data fetch for which the agent sees an error state. */
export interface ErrorStateResult extends FetchResult {
  readonly outcome: 'unknown_component' | 'invalid_payload' | DataFailureReason
  readonly payload?: undefined
  /** The unmodified JSON object, if the response was one. */
  readonly value?: unknown
}

/** The result of a data fetch. */
export type DataFetchResult = ShownResult | ErrorStateResult

/** The service's side of the contract for one endpoint. */
export interface EndpointClient {
  /** The endpoint's URL, with its own query. */
  readonly url: URL
  /** Performs the handshake with a code. */
  handshake(code: string): Promise<HandshakeResult>
  /**
   * Fetches the data of a widget. Absent IDs are not sent (A4). `sections` are
   * conditions, which an endpoint in development applies; see
   * {@link findUnappliedCondition}.
   */
  fetchData(ids: FetchDataIds, sections?: SectionConditions): Promise<DataFetchResult>
  /** Sends any query, including those that the service never sends. */
  send(query: Query): Promise<Exchange>
  /** Replaces the secrets of the custom headers in a text. */
  readonly redact: Redact
}

const CLIENT_KINDS = { ...ENDPOINT_KINDS, target: required(anything) }

/**
 * Creates a client that calls an endpoint as the service does. Its methods never
 * throw; check the result.
 *
 * @throws {SidecardError} `invalid_target` for an invalid URL; `invalid_header` for an invalid header; `invalid_options` for another invalid option.
 * @see docs/testing.md
 */
export function createEndpointClient(options: EndpointClientOptions): EndpointClient {
  const { target, ...settings } = readOptions('createEndpointClient', options, CLIENT_KINDS)
  return connectEndpoint(target, settings)
}

/**
 * Creates the client from options that have been read.
 *
 * @param takeFailures returns the failures that an in-process app reported for a response
 */
export function connectEndpoint(
  target: Target,
  settings: EndpointSettings,
  takeFailures: (exchange: Exchange) => readonly Failure[] = () => [],
): EndpointClient {
  const { headers } = settings
  const { url, send } = resolveTarget(target, settings)
  assertHeaders(headers)
  const redact = createHeaderRedactor(headers)
  const sendQuery = (query: Query, sections?: SectionConditions) =>
    sendAndRead(withQuery(url, query), { ...settings, send, sections })

  return {
    url,
    redact,
    send: (query) => sendQuery(query),
    async handshake(code) {
      const exchange = await sendQuery(verifyQuery(code))
      const validation = validateHandshake(code, exchange)
      if (validation.ok) return { ok: true, form: validation.form, exchange }
      const findings = handshakeFindings(validation)
      const fix = findings[0]?.fix ?? ''
      return { ...redactValue({ ...validation, fix, findings }, redact), exchange }
    },
    async fetchData(ids, sections) {
      const exchange = await sendQuery(fetchDataQuery(ids), sections)
      const collected = takeFailures(exchange)
      const result = assessDataFetch(exchange, collected, redact, ids, sections)
      const { message, fix, findings } = result
      // Only these texts are redacted: the errors of an in-process app stay as they were thrown.
      return { ...result, ...redactValue({ message, fix, findings }, redact) }
    },
  }
}

/** Creates a redactor that follows the headers, because tests may change them between requests. */
function createHeaderRedactor(headers: Readonly<Record<string, string>>): Redact {
  let key = ''
  let redact = createRedactor([])
  return (text) => {
    const nextKey = Object.entries(headers).join('\n')
    if (nextKey !== key) {
      key = nextKey
      redact = createRedactor(secretsOf(headers))
    }
    return redact(text)
  }
}

function assessDataFetch(
  exchange: Exchange,
  collected: readonly Failure[],
  redact: Redact,
  ids: FetchDataIds,
  sections: SectionConditions = {},
): DataFetchResult {
  const { response } = exchange
  const failures =
    response === undefined
      ? []
      : redactValue(markIntended(readFailures(response, collected), sections, response), redact)
  const validation = validateDataResponse(exchange)
  // A finding quotes the response, which may contain the IDs of the request.
  const sentIds = Object.values(ids).filter((id) => id !== undefined)
  const violations = redactValue(dataFindings(validation), createRedactor([], sentIds))
  const unexpected = failures.filter(({ intended }) => intended !== true)
  const reports = failureFindings(unexpected)
  const [reported] = failureFindings(unexpected.length > 0 ? unexpected : failures)
  const worst = violations.find(({ level }) => level === 'MUST')
  if (validation.ok && worst === undefined) {
    const card = response === undefined ? undefined : readDesignedCard(response)
    const shown = card === undefined ? { message: '', fix: '' } : explainCard(card)
    const { message, fix } = reported ?? shown
    const outcome = reported === undefined ? (card ?? 'rendered') : 'failed'
    const findings = [...violations, ...reports]
    const payload = validation.value as unknown as Payload
    return { failures, findings, exchange, outcome, payload, message, fix }
  }
  const outcome = validation.ok ? payloadOutcome(violations) : validation.reason
  return {
    failures,
    findings: isAsIntended({ outcome, failures }) ? [] : [...violations, ...reports],
    exchange,
    outcome,
    ...(validation.ok && { value: validation.value }),
    message: [worst && formatViolation(worst), reported?.message].filter(Boolean).join(': '),
    fix: (reported ?? worst)?.fix ?? '',
  }
}
