import { flag, readOptions, withDefault } from '../../internal/read-options.ts'
import type { Instrument, SpanRecord } from './instrument.ts'

/** Options of `serverTiming()`. */
export interface ServerTimingOptions {
  /**
   * Whether every response has the header. It discloses the names of sections
   * and how long they take.
   * @default false: only with `SIDECARD_DEV=1` and `x-sidecard-dev: 1`
   */
  readonly always?: boolean | undefined
}

/** The maximum number of spans, so that HTTP servers accept the header. */
const MAX_ENTRIES = 40
const MAX_DESCRIPTION_LENGTH = 60

/**
 * Creates an instrument that adds a `Server-Timing` header with the duration of
 * each span. The browser's network panel and the workspace show it.
 *
 * @throws {SidecardError} `invalid_options` for an unknown option
 * @see docs/guides/observing.md#server-timing
 * @example
 * sidecard({ ...options, instrument: serverTiming() })
 */
export function serverTiming(options: ServerTimingOptions = {}): Instrument {
  const { always } = readOptions('serverTiming', options, { always: withDefault(flag, false) })
  return {
    onResponse({ spans, durationMs, isDeveloper }, headers) {
      if (!always && !isDeveloper) return
      const entries = spans.toSorted((a, b) => a.startMs - b.startMs).slice(0, MAX_ENTRIES)
      headers.append(
        'server-timing',
        [...entries.map(formatSpan), `total;dur=${durationMs}`].join(', '),
      )
    },
  }
}

function formatSpan({ name, attributes, startMs, durationMs, failed }: SpanRecord): string {
  const title = Object.values(attributes)[0]
  // A quoted string in a header only allows printable ASCII, with escapes.
  const safe = title?.replace(/[^ -~]/g, '?').slice(0, MAX_DESCRIPTION_LENGTH)
  const description = safe === undefined ? '' : `;desc="${safe.replace(/["\\]/g, '\\$&')}"`
  return `${name}${description};start=${startMs};dur=${durationMs}${failed ? ';failed' : ''}`
}
