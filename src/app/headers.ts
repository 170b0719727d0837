/**
 * What every answer carries: it is not to be sniffed or stored, and it grants
 * no other origin anything (there is no CORS header on purpose).
 */
const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** Headers of a payload and of a handshake in the JSON form. */
export const JSON_HEADERS = { 'content-type': 'application/json', ...COMMON } as const

/** Headers of a handshake in the text form; the contract names the bare media type. */
export const TEXT_HEADERS = { 'content-type': 'text/plain', ...COMMON } as const

/** Headers of a problem document (RFC 9457). */
export const PROBLEM_HEADERS = { 'content-type': 'application/problem+json', ...COMMON } as const

/** Names the kind of fault behind an answer that had to be replaced, in whole or in part. */
export const FAULT_HEADER = 'x-sidecard-fault'

/** Says whether an answer was kept: `hit`, `stale` or `miss`. Only with the option `cache`. */
export const CACHE_HEADER = 'x-sidecard-cache'

/** Carries the trace id of an answer with a fault; the log line has the same. */
export const TRACE_HEADER = 'x-sidecard-trace'
