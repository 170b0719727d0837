import { TargetThrewError } from './target.ts'

/** The reason why there is no complete response. `unreachable`: nothing accepts connections at the URL. */
export type TransportFailureKind = keyof typeof MESSAGES

/**
 * The failure of a request without a complete response. The message does not
 * quote the endpoint.
 */
export interface TransportFailure {
  readonly kind: TransportFailureKind
  readonly message: string
}

const MESSAGES = {
  unreachable: 'the endpoint is unreachable',
  tls: 'the TLS connection failed (certificate or protocol)',
  timeout: 'the response did not complete before the timeout',
  reset: 'the connection was closed before a response arrived',
  malformed: 'the response is not valid HTTP',
  cut_off: 'the body was truncated',
  undecodable: 'the body does not match its Content-Encoding',
  too_large: 'the body exceeds the limit',
  threw: 'the app threw instead of returning a response',
} as const

/** Creates a failure. `detail` is added to the standard message of its kind. */
export function transportFailure(kind: TransportFailureKind, detail?: string): TransportFailure {
  return { kind, message: detail === undefined ? MESSAGES[kind] : `${MESSAGES[kind]} (${detail})` }
}

/** A different server than the expected one responded. The message says which. */
export class WrongServerError extends Error {}

const UNDECODABLE = /^(?:Z_\w+|ERR__ERROR_\w+|ERR_BROTLI\w*|ERR_ZSTD\w*|ZlibError)$/

/** The codes of errors, in the order in which they are searched. */
const CODES: ReadonlyArray<readonly [TransportFailureKind, RegExp]> = [
  [
    'unreachable',
    /^(?:ECONNREFUSED|ConnectionRefused|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|ETIMEDOUT|ERR_PROXY_\w+|UND_ERR_CONNECT_TIMEOUT|FailedToOpenSocket)$/,
  ],
  [
    'tls',
    /^(?:CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_\w+|UNABLE_TO_\w+|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$/,
  ],
  [
    'malformed',
    /^(?:HTTPParserError|HPE_\w+|UND_ERR_HEADERS_OVERFLOW|UND_ERR_INVALID_ARG|InvalidHTTPResponse)$/,
  ],
  ['undecodable', UNDECODABLE],
]

/** Classifies an error that `fetch` threw before the headers arrived. */
export function classifyConnectionError(error: unknown): TransportFailure {
  if (error instanceof TargetThrewError) return transportFailure('threw', error.message)
  if (error instanceof WrongServerError) return transportFailure('unreachable', error.message)
  const codes = errorCodes(error)
  for (const [kind, pattern] of CODES) {
    const code = codes.find((each) => pattern.test(each))
    if (code === undefined) continue
    // A long header and too many headers have different codes.
    const isOverflow = /HEADERS?_OVERFLOW$/.test(code)
    return transportFailure(kind, isOverflow ? 'its headers exceed 16 KiB' : code)
  }
  return transportFailure('reset', codes[0])
}

/** Classifies an error that was thrown while the body was read. */
export function classifyBodyError(error: unknown): TransportFailure {
  const undecodable = errorCodes(error).find((code) => UNDECODABLE.test(code))
  return undecodable === undefined
    ? transportFailure('cut_off')
    : transportFailure('undecodable', undecodable)
}

/** Collects the codes of an error, its causes and its aggregated errors, outermost first. */
function errorCodes(error: unknown): string[] {
  const codes: string[] = []
  const queue: unknown[] = [error]
  for (let seen = 0; queue.length > 0 && seen < 16; seen += 1) {
    const next = queue.shift()
    if (typeof next !== 'object' || next === null) continue
    const { code, name, cause, errors } = next as Partial<Record<string, unknown>>
    // In Node 24, a parser error has a name but no code.
    const known = code ?? (name === 'HTTPParserError' ? name : undefined)
    if (typeof known === 'string' && /^\w{1,64}$/.test(known)) codes.push(known)
    if (cause !== undefined) queue.push(cause)
    if (Array.isArray(errors)) queue.push(...errors.slice(0, 8))
  }
  return codes
}
