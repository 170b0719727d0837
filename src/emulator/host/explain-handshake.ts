import type { Exchange } from '../../service/exchange.ts'
import { ruleForHandshakeFailure } from '../../service/rules/index.ts'
import type { HandshakeFailureReason } from '../../service/validate-handshake.ts'
import type { HandshakeExplanation } from '../protocol/exchanges.ts'

/** Explains to a developer what a failed handshake sent and received, and why its rule matters. */
export function explainHandshake(
  reason: HandshakeFailureReason,
  { request, response }: Exchange,
  isFault: boolean,
): HandshakeExplanation {
  const { origin, pathname } = new URL(request.url)
  const sent = `The service sent GET ${origin}${pathname} with request_type=verify, a code, and ${describeHeaders(request.headerNames)}.`
  if (isFault) return { saw: sent, why: 'The endpoint is not the cause.' }
  const type = response?.headers['content-type']
  const received =
    response === undefined
      ? 'It received no complete response.'
      : `It received status ${response.status}${type === undefined ? '' : ` with Content-Type ${type}`}.`
  return {
    saw: `${sent} ${received}`,
    why: ruleForHandshakeFailure(reason).why.replaceAll('`', ''),
  }
}

function describeHeaders(names: readonly string[]): string {
  if (names.length === 0) return 'no custom headers'
  return `the custom header${names.length === 1 ? '' : 's'} ${names.join(', ')}`
}
