import { Diff } from '../parts/exchange/diff.tsx'
import { DetailFindings, RequestPart, ResponsePart } from '../parts/exchange/exchange-parts.tsx'
import { loadExchange } from '../state/exchanges.ts'
import { Waterfall } from '../parts/exchange/waterfall.tsx'
import { useLoaded } from '../core/use-loaded.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import style from '../parts/failure/diagnostics.module.css'
import { openTab, subject } from '../state/diagnostics.ts'

/** The request of the selected widget: itself, its timing, its console lines, or a comparison. */
export function ExchangeTab() {
  const tab = openTab.value
  const view = subject.value?.view ?? null
  const exchange = useLoaded(view?.exchangeId ?? null, loadExchange)
  if (view?.exchangeId == null) return <p class="muted">No request was recorded.</p>
  if (exchange === null) return <Skeleton lines={4} label="Loading request" />
  if (typeof exchange === 'string') return <p>{exchange}</p>
  if (tab === 'timing') {
    return exchange.timing.length > 0 ? (
      <Waterfall exchange={exchange} />
    ) : (
      <p class="hint">
        The endpoint sent no Server-Timing. With <code>instrument: serverTiming()</code>, it shows
        what each section and lookup took.
      </p>
    )
  }
  if (tab === 'diff') {
    return <Diff key={exchange.id} exchange={exchange} otherId={view.lastGood?.exchangeId} />
  }
  return (
    <div class={style.columns}>
      <div>
        <ResponsePart exchange={exchange} />
        <DetailFindings exchange={exchange} />
      </div>
      <RequestPart exchange={exchange} />
    </div>
  )
}
