import type { Redact } from '../../internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import type { FetchDataResult } from '../../service/endpoint-client.ts'
import { describeEffect } from '../faults/describe-effect.ts'
import type { FaultEffect } from '../faults/rules.ts'
import type { FailureView } from '../protocol/exchanges.ts'
import type { WidgetView } from '../protocol/widgets.ts'
import type { MapStack } from '../store/map-stack.ts'
import { toFailureView } from './to-failure-view.ts'

/**
 * The result of a data fetch, for an agent and a developer. It contains no header
 * values of the app.
 */
export type AssessedData = Pick<
  WidgetView,
  'outcome' | 'payload' | 'value' | 'message' | 'fix' | 'failures' | 'findings' | 'injected'
>

/** Options for `assessData()`. */
export interface AssessOptions {
  readonly redact: Redact
  readonly mapStack: MapStack
  readonly injected: FaultEffect | null
}

/** Assesses a data fetch. Effects of an injected fault are not attributed to the endpoint. */
export function assessData(
  result: FetchDataResult,
  { redact, mapStack, injected }: AssessOptions,
): AssessedData {
  const { outcome } = result
  if (injected !== null && isCausedBy(injected, outcome)) {
    return {
      outcome,
      payload: null,
      value: null,
      message: `Fault injected by the emulator: ${describeEffect(injected)}.`,
      fix: 'Remove the fault on the Faults tab to see the response of the endpoint.',
      failures: [],
      findings: [],
      injected,
    }
  }
  const failures = result.failures.map((failure) => toFailureView(failure, mapStack))
  const { message, fix } = describe(result, failures)
  return {
    outcome,
    payload: redactValue(result.payload ?? null, redact),
    value: redactValue(result.value ?? null, redact),
    message,
    fix,
    failures,
    findings: result.findings,
    injected,
  }
}

/** Returns whether the fault, and not the endpoint, caused the outcome. */
export function isCausedBy(effect: FaultEffect, outcome: string): boolean {
  return effect.type !== 'delay' || outcome === 'timeout'
}

/**
 * Returns the explanation of a designed card, or the source location of a failure
 * if it is known.
 */
function describe(
  { outcome, message, fix }: FetchDataResult,
  failures: readonly FailureView[],
): { readonly message: string; readonly fix: string } {
  switch (outcome) {
    case 'not_found':
      return {
        message: 'No customer matches these IDs. The agent sees a card that says so.',
        fix: 'Choose another issue, or send the IDs of a customer in your data.',
      }
    case 'ambiguous':
      return {
        message: 'Several customers match these IDs. The agent sees a card that says so.',
        fix: 'Send an ID that belongs to one customer, or make the lookup more specific.',
      }
    case 'not_available':
      return {
        message: 'A required ID is missing. The agent sees a card that says so.',
        fix: 'Choose an issue or a scenario that has the ID.',
      }
    default: {
      const [first] = failures
      const location = first?.error?.issues.length === 0 ? first.error.location : null
      if (location === null || location === undefined) return { message, fix }
      return { message, fix: `Look at ${location.file}:${location.line}.` }
    }
  }
}
