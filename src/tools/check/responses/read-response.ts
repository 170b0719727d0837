import { readDesignedCard, readFailures } from '../../service/endpoint/endpoint-failures.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import type { InvalidResponse } from '../../service/responses/invalid-response.ts'
import { dataFindings } from '../../service/response-rules/index.ts'
import { validateDataResponse } from '../../service/responses/validate-data-response.ts'
import { validateHandshake } from '../../service/responses/validate-handshake.ts'

/**
 * Reads a response to a handshake. After a wrong Content-Type or a byte order
 * mark, validation continues as if it were correct, so that one mistake does not
 * hide others.
 */
export function readHandshake(code: string, exchange: Exchange) {
  const validate = (each: Exchange) => validateHandshake(code, each)
  const { problems, accepted } = collectProblems(exchange, validate, guessHandshakeType)
  const receivedCode = problems.find((problem) => problem.receivedCode !== undefined)?.receivedCode
  return { ok: problems.length === 0, problems, readable: accepted !== undefined, receivedCode }
}

/** Reads a response to a data fetch, including the failures that the endpoint reports. */
export function readData(exchange: Exchange) {
  const guessType = () => 'application/json'
  const { problems, accepted } = collectProblems(exchange, validateDataResponse, guessType)
  const { response } = exchange
  return {
    ok: problems.length === 0,
    problems,
    payload: accepted?.value,
    findings: accepted === undefined ? [] : dataFindings(accepted),
    failures: response === undefined ? [] : readFailures(response, []),
    card: response === undefined ? undefined : readDesignedCard(response),
  }
}

function collectProblems<Validation extends { readonly ok: true } | InvalidResponse<string>>(
  exchange: Exchange,
  validate: (exchange: Exchange) => Validation,
  guessType: (text: string) => string,
) {
  const problems: Array<Extract<Validation, { readonly ok: false }>> = []
  let current: Exchange | undefined = exchange
  while (current !== undefined) {
    const validation = validate(current)
    if (validation.ok) {
      return { problems, accepted: validation as Extract<Validation, { readonly ok: true }> }
    }
    problems.push(validation as Extract<Validation, { readonly ok: false }>)
    current = repair(current, validation.reason, guessType)
  }
  return { problems, accepted: undefined }
}

/**
 * Returns the exchange with one mistake corrected, or `undefined` if this function
 * cannot correct it.
 */
function repair(
  exchange: Exchange,
  reason: string,
  guessType: (text: string) => string,
): Exchange | undefined {
  const { response } = exchange
  if (response?.text === undefined) return undefined
  if (reason === 'byte_order_mark') {
    return { ...exchange, response: { ...response, text: response.text.replace(/^\uFEFF/, '') } }
  }
  if (reason !== 'content_type') return undefined
  const headers = { ...response.headers, 'content-type': guessType(response.text) }
  return { ...exchange, response: { ...response, headers } }
}

function guessHandshakeType(text: string): string {
  return /^\uFEFF?\s*\{/.test(text) ? 'application/json' : 'text/plain'
}
