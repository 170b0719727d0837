import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { HandshakeResult } from '../../service/endpoint-client.ts'
import type { Finding } from '../../service/rules/rule.ts'
import type { HandshakeFailureReason, HandshakeForm } from '../../service/validate-handshake.ts'
import { explainFault } from '../faults/describe-effect.ts'
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

/** Assesses a handshake. Effects of an injected fault are not attributed to the endpoint. */
export function assessHandshake(
  result: HandshakeResult,
  { redact, injected }: { readonly redact: Redact; readonly injected: FaultEffect | null },
): AssessedHandshake {
  if (result.ok) {
    const success = { reason: null, message: '', fix: '', explanation: null, findings: [] }
    return { ...success, form: result.form, injected }
  }
  const { reason, message, fix, findings, exchange } = result
  const isFault = injected !== null && isCausedBy(injected, reason)
  return {
    reason,
    form: null,
    message,
    fix,
    findings: isFault ? [] : findings,
    explanation: redactValue(explainHandshake(reason, exchange, isFault), redact),
    injected,
    ...(isFault && explainFault(injected)),
  }
}
