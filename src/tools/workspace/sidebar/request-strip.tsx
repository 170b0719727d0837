import { Count } from '../parts/count.tsx'
import { useEffect, useState } from 'preact/hooks'
import { formatTime } from '../core/format.ts'
import { listFacts } from '../core/list-facts.ts'
import { describeOutcome } from '../core/outcome.ts'
import { workspace } from '../core/workspace.ts'
import { routeHash } from '../state/request-as.ts'
import type { WidgetLoad } from '../state/widgets.ts'
import { classes } from '../core/classes.ts'
import panelStyle from '../parts/widget/panel.module.css'

interface RequestStripProps {
  readonly load: WidgetLoad | undefined
  /** Whether the code was saved again since the request. */
  readonly isBehind: boolean
}

/** The request behind a widget, in one line that opens it in the inspector. */
export function RequestStrip({ load, isBehind }: RequestStripProps) {
  if (load === undefined) return null
  if (load.startedAt !== null) return <Elapsed startedAt={load.startedAt} />
  const { view, error } = load
  if (view === null)
    return error === null ? null : <p class={classes(panelStyle.strip, 'tone-warn')}>{error}</p>
  const { exchange, injected } = view
  const isOld = isBehind && view.outcome === 'rendered'
  const { text, tone } = isOld
    ? { text: `Last render, ${formatTime(view.at)}`, tone: 'warn' }
    : describeOutcome(view)
  const { failures, durationMs } = view
  const all = listFacts({ ...(exchange ?? { status: null }), failures, durationMs })
  // The strip has no room for all facts, so the title contains the rest.
  const facts = all.filter((fact) => fact !== 'HTTP 200' && !fact.startsWith('trace ID'))
  const content = (
    <>
      <b class={`tone-${tone}`}>{text}</b>
      {injected !== null && <Count tone="warn">injected</Count>}
      {error !== null && <span class="tone-warn">{error}</span>}
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </>
  )
  if (view.exchangeId === null) return <p class={panelStyle.strip}>{content}</p>
  return (
    <a
      class={panelStyle.strip}
      href={routeHash('inspector', view.exchangeId)}
      title={[text, ...all].join(', ')}
    >
      <span class="visually-hidden">Request details: </span>
      {content}
    </a>
  )
}

const TICK_MS = 100
const STUCK_AFTER_MS = 3_000

/** The time since the start of a request, and the timeout. */
function Elapsed({ startedAt }: { readonly startedAt: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => {
      clearInterval(timer)
    }
  }, [startedAt])
  const timeoutMs = workspace.value?.timeoutMs ?? 0
  // The emulator ends every request at the timeout. If one lasts longer, the emulator hangs.
  const isStuck = timeoutMs > 0 && now - startedAt > timeoutMs + STUCK_AFTER_MS
  if (isStuck) {
    return <p class={classes(panelStyle.strip, 'tone-warn')}>The emulator is not responding.</p>
  }
  const seconds = (Math.max(0, now - startedAt) / 1000).toFixed(1)
  return (
    <p class={panelStyle.strip}>
      <b>Loading…</b>
      <span>{timeoutMs > 0 ? `${seconds} s of ${timeoutMs / 1000} s` : `${seconds} s`}</span>
      {timeoutMs > 0 && (
        <progress
          class={panelStyle['elapsed-bar']}
          aria-label="Time until the timeout"
          max={timeoutMs}
          value={Math.min(timeoutMs, Math.max(0, now - startedAt))}
        />
      )}
    </p>
  )
}
