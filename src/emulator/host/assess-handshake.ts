import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { HandshakeResult } from '../../service/endpoint-client.ts'
import type { Finding } from '../../service/rules/rule.ts'
import type { HandshakeFailureReason, HandshakeForm } from '../../service/validate-handshake.ts'
import { describeEffect } from '../faults/describe-effect.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { HandshakeExplanation } from '../protocol/exchanges.ts'
import { isCausedBy } from './assess-data.ts'
import { explainHandshake } from './explain-handshake.ts'

/** The result of a handshake, for a developer. It contains no header values of the app. */
export interface AssessedHandshake {
  /** Null if it succeeded. */
  readonly reason: HandshakeFailureReason | null
  /** Null if it failed. */
  readonly form: HandshakeForm | null
  readonly message: string
  readonly fix: string
  readonly explanation: HandshakeExplanation | null
  readonly findings: readonly Finding[]
  readonly injected: FaultEffect | null
}

/** Options for `assessHandshake()`. */
export interface AssessHandshakeOptions {
  readonly redact: Redact
  readonly injected: FaultEffect | null
  readonly timeoutMs: number
}

const MAX_BODY_BYTES = 2_048

/** Assesses a handshake. Effects of an injected fault are not attributed to the endpoint. */
export function assessHandshake(
  result: HandshakeResult,
  { redact, injected, timeoutMs }: AssessHandshakeOptions,
): AssessedHandshake {
  if (result.ok) {
    const success = { reason: null, message: '', fix: '', explanation: null, findings: [] }
    return { ...success, form: result.form, injected }
  }
  const { reason, exchange } = result
  const cause = injected !== null && isCausedBy(injected, reason) ? injected : null
  const explanation = explainHandshake({
    reason,
    message: result.message,
    url: exchange.request.url,
    headerNames: exchange.request.headerNames,
    status: exchange.response?.status,
    headers: redactValue(exchange.response?.headers ?? {}, redact),
    body: redact(new TextDecoder().decode(exchange.response?.body.subarray(0, MAX_BODY_BYTES))),
    timeoutMs,
    injected: cause,
  })
  const common = { reason, form: null, explanation, injected }
  if (cause !== null) {
    const message = `Fault injected by the emulator: ${describeEffect(cause)}.`
    return { ...common, message, fix: explanation.changes[0] ?? '', findings: [] }
  }
  return {
    ...common,
    message: result.message,
    fix: result.fix,
    findings: result.findings,
  }
}
