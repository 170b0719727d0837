import { metrics, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api'
import { createMiddleware } from 'hono/factory'
import type { Instrument } from 'sidecard'

// Without an SDK, the API has no effect. Register one before you import this module.
const tracer = trace.getTracer('billing')
const meter = metrics.getMeter('billing')
// The default boundaries are in milliseconds.
const advice = { explicitBucketBoundaries: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] }
const responses = meter.createHistogram('sidecard.response.duration', { unit: 's', advice })
const sections = meter.createHistogram('sidecard.section.duration', { unit: 's', advice })
const sectionCaches = meter.createCounter('sidecard.section.cache')
const failures = meter.createCounter('sidecard.failures')

/** The span of the whole request. The URL is not an attribute: it contains the IDs and the email. */
export const traceRequests = createMiddleware(async (c, next) =>
  tracer.startActiveSpan(`${c.req.method} billing`, { kind: SpanKind.SERVER }, async (span) => {
    await runInSpan(span, next)
    span.setAttribute('http.response.status_code', c.res.status).end()
  }),
)

/** Spans of the work inside a request, and metrics of its response. */
export const telemetry: Instrument = {
  span: (name, attributes, run) =>
    tracer.startActiveSpan(name, { attributes }, (span) =>
      runInSpan(span, run).finally(() => span.end()),
    ),
  onResponse(record) {
    const outcome = record.failures.length > 0 ? 'failed' : (record.outcome ?? 'complete')
    responses.record(record.durationMs / 1_000, { outcome, via: record.via ?? 'none' })
    for (const { name, attributes, durationMs, failed } of record.spans) {
      if (name === 'section') sections.record(durationMs / 1_000, { ...attributes, failed })
    }
    for (const { section, status } of record.sectionCaches) {
      sectionCaches.add(1, { 'sidecard.section': section, status })
    }
    for (const { kind, section = 'none', stale } of record.failures) {
      failures.add(1, { kind, 'sidecard.section': section, stale })
    }
  },
}

async function runInSpan<R>(span: Span, run: () => Promise<R>): Promise<R> {
  try {
    return await run()
  } catch (error) {
    // Only the name is recorded, because the message may contain personal data. The log contains
    // the message.
    span.recordException({ name: error instanceof Error ? error.name : typeof error })
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  }
}
