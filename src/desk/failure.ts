import { TargetThrewError } from './target.ts'

/** Why no whole answer came. `unreachable` alone means that nobody answers at the address. */
export type FailureKind =
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'malformed'
  | 'cut_off'
  | 'undecodable'
  | 'too_large'
  | 'threw'

/** A request that got no whole answer. The message holds nothing that the endpoint sent. */
export interface Failure {
  readonly kind: FailureKind
  readonly message: string
}

const MESSAGES: Record<FailureKind, string> = {
  unreachable: 'nothing answers at the address',
  tls: 'no secure connection could be made (the certificate or TLS itself)',
  timeout: 'no whole answer came in time',
  reset: 'the connection was closed before an answer came',
  malformed: 'the answer is not HTTP',
  cut_off: 'the body ended before it was whole',
  undecodable: 'the body could not be decompressed as its Content-Encoding says',
  too_large: 'the body is larger than the limit',
  threw: 'the target threw instead of answering',
}

/** A failure of one kind; `detail` follows the standard message. */
export function failure(kind: FailureKind, detail?: string): Failure {
  return { kind, message: detail === undefined ? MESSAGES[kind] : `${MESSAGES[kind]} (${detail})` }
}

const UNREACHABLE =
  /^(?:ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|FailedToOpenSocket)$/
const TLS =
  /^(?:CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$/
const MALFORMED =
  /^(?:HTTPParserError|HPE_\w+|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG|InvalidHTTPResponse)$/
const UNDECODABLE = /^(?:Z_\w+|ERR__ERROR_\w+|ERR_BROTLI\w*|ERR_ZSTD\w*|ZlibError)$/

/** Classifies what `fetch` threw before there was an answer. */
export function connectionFailure(error: unknown): Failure {
  if (error instanceof TargetThrewError) return failure('threw', error.message)
  const codes = errorCodes(error)
  const known = (pattern: RegExp) => codes.find((code) => pattern.test(code))
  const unreachable = known(UNREACHABLE)
  if (unreachable !== undefined) return failure('unreachable', unreachable)
  const tls = known(TLS)
  if (tls !== undefined) return failure('tls', tls)
  const malformed = known(MALFORMED)
  if (malformed !== undefined) return failure('malformed', malformed)
  const undecodable = known(UNDECODABLE)
  if (undecodable !== undefined) return failure('undecodable', undecodable)
  return failure('reset', codes[0])
}

/** Classifies what the body threw while it was read. */
export function bodyFailure(error: unknown): Failure {
  const undecodable = errorCodes(error).find((code) => UNDECODABLE.test(code))
  return undecodable === undefined ? failure('cut_off') : failure('undecodable', undecodable)
}

/** The codes of an error, of its causes and of what it gathers, outermost first. */
function errorCodes(error: unknown): string[] {
  const codes: string[] = []
  const queue: unknown[] = [error]
  for (let seen = 0; queue.length > 0 && seen < 16; seen += 1) {
    const next = queue.shift()
    if (typeof next !== 'object' || next === null) continue
    const { code, name, cause, errors } = next as Partial<Record<string, unknown>>
    // Node 24 gives a parser's error a name and no code.
    const known = code ?? (name === 'HTTPParserError' ? name : undefined)
    if (typeof known === 'string' && /^\w{1,64}$/.test(known)) codes.push(known)
    if (cause !== undefined) queue.push(cause)
    if (Array.isArray(errors)) queue.push(...errors.slice(0, 8))
  }
  return codes
}
