import { isThenable } from '../../internal/hostile-values.ts'
import type {
  Instrument,
  InstrumentContext,
  ResponseRecord,
  SpanName,
  SpanRecord,
} from './instrument.ts'

type Attributes = Readonly<Record<string, string>>

/** Calls the instruments of one data fetch. */
export type Observer = ReturnType<typeof createObserver>

/** Creates the observer of one data fetch; `onError` receives the errors of instruments. */
export function createObserver(
  instruments: readonly Instrument[],
  startedAtMs: number,
  onError: (error: unknown) => void,
) {
  const spans: SpanRecord[] = []

  return {
    spans,
    /** Runs work inside the spans of all instruments: exactly once, regardless of the instruments. */
    span<R>(name: SpanName, attributes: Attributes, run: () => Promise<R>): Promise<R> {
      const nested = instruments.reduceRight(
        (inner, instrument) =>
          instrument.span === undefined
            ? inner
            : () => runOnce((once) => instrument.span?.(name, attributes, once), inner),
        () => record(name, attributes, run),
      )
      return nested()
    },
    /** Passes the record to each instrument and returns the headers that they add. */
    respond(response: ResponseRecord, ctx: InstrumentContext): Headers {
      const headers = new Headers()
      for (const instrument of instruments) {
        try {
          const pending: unknown = instrument.onResponse?.(response, headers, ctx)
          if (isThenable(pending)) ctx.waitUntil(Promise.resolve(pending).catch(onError))
        } catch (error) {
          onError(error)
        }
      }
      return headers
    },
  }

  function runOnce<R>(
    observe: (once: () => Promise<R>) => unknown,
    run: () => Promise<R>,
  ): Promise<R> {
    let result: Promise<R> | undefined
    const once = () => (result ??= run())
    try {
      const observed = observe(once)
      if (isThenable(observed)) void Promise.resolve(observed).catch(reportOwnError)
    } catch (error) {
      onError(error)
    }
    return once()

    /** Reports an error, unless it is that of the work itself, which its caller receives. */
    function reportOwnError(error: unknown): void {
      once().then(
        () => onError(error),
        (workError: unknown) => workError === error || onError(error),
      )
    }
  }

  async function record<R>(
    name: SpanName,
    attributes: Attributes,
    run: () => Promise<R>,
  ): Promise<R> {
    const startMs = Date.now() - startedAtMs
    let failed = true
    try {
      const result = await run()
      failed = false
      return result
    } finally {
      const durationMs = Date.now() - startedAtMs - startMs
      spans.push({ name, attributes, startMs, durationMs, failed })
    }
  }
}
