import { TRACE_HEADER } from '../../internal/headers.ts'

/** Reads the trace ID of a response. Returns `null` if it is absent or malformed. */
export function readTraceId(headers: Readonly<Record<string, string>>): string | null {
  return /^[\w-]{1,64}$/.exec(headers[TRACE_HEADER] ?? '')?.[0] ?? null
}
