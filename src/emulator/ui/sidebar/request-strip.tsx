import { useEffect, useState } from 'preact/hooks'
import { formatBytes } from '../inspector/format-bytes.ts'
import { milliseconds } from '../inspector/format-duration.ts'
import { countFailures, describeOutcome } from '../inspector/outcome.ts'
import { routeHash } from '../state/request-as.ts'
import type { WidgetLoad } from '../state/widgets.ts'
import { workspace } from '../state/workspace.ts'

/** The request behind a widget, in one line that opens it in the inspector. */
export function RequestStrip({ load }: { readonly load: WidgetLoad | undefined }) {
  if (load === undefined) return null
  if (load.startedAt !== null) return <Elapsed startedAt={load.startedAt} />
  const { view, error } = load
  if (view === null) return error === null ? null : <p class="strip strip-warn">{error}</p>
  const { exchange, injected } = view
  const { text, tone } = describeOutcome(view.outcome)
  const facts = [
    countFailures(view.failures),
    exchange === null || exchange.status === null ? 'no response' : `HTTP ${exchange.status}`,
    milliseconds(view.durationMs),
    exchange === null || exchange.bytes === null ? null : formatBytes(exchange.bytes),
    exchange === null || exchange.cache === null ? null : `cache ${exchange.cache}`,
    exchange === null || exchange.traceId === null ? null : `trace ID ${exchange.traceId}`,
  ].filter((fact) => fact !== null)
  const content = (
    <>
      <span class={`strip-outcome tone-${tone}`}>{text}</span>
      {injected !== null && <span class="count count-warn">injected</span>}
      {error !== null && <span class="tone-warn">{error}</span>}
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </>
  )
  if (view.exchangeId === null) return <p class="strip">{content}</p>
  return (
    <a class="strip" href={routeHash('inspector', view.exchangeId)}>
      <span class="visually-hidden">Request details: </span>
      {content}
    </a>
  )
}

const TICK_MS = 100

/** The time since the start of a request, and the timeout. */
function Elapsed({ startedAt }: { readonly startedAt: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(performance.now())
    }, TICK_MS)
    return () => {
      clearInterval(timer)
    }
  }, [startedAt])
  const timeoutMs = workspace.value?.timeoutMs ?? 0
  const seconds = (Math.max(0, now - startedAt) / 1000).toFixed(1)
  return (
    <p class="strip">
      <span class="strip-outcome">Loading…</span>
      <span class="elapsed">
        {timeoutMs > 0 ? `${seconds} s of ${timeoutMs / 1000} s` : `${seconds} s`}
      </span>
      {timeoutMs > 0 && (
        <progress
          class="elapsed-bar"
          aria-label="Time until the timeout"
          max={timeoutMs}
          value={Math.min(timeoutMs, Math.max(0, now - startedAt))}
        />
      )}
    </p>
  )
}
