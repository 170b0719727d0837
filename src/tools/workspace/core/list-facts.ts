import { formatBytes, milliseconds, plural } from './format.ts'
import type { ExchangeSummary, FailureView } from '../../emulator/protocol/exchanges.ts'

type Facts = Pick<ExchangeSummary, 'durationMs'> &
  Partial<Pick<ExchangeSummary, 'status' | 'bytes' | 'traceId'>> & {
    readonly failures?: readonly FailureView[]
  }

/** The facts of a request in words, the most important first, without failures that a state asks for: `2 failures`, `HTTP 200`, `12 ms`. */
export function listFacts({ failures = [], durationMs, ...exchange }: Facts): readonly string[] {
  const { status, bytes = null, traceId = null } = exchange
  const { length } = failures.filter(({ intended }) => !intended)
  return [
    length > 0 && plural(length, 'failure'),
    status !== undefined && (status === null ? 'no response' : `HTTP ${status}`),
    milliseconds(durationMs),
    bytes !== null && formatBytes(bytes),
    traceId !== null && `trace ID ${traceId}`,
  ].filter((fact) => fact !== false)
}
