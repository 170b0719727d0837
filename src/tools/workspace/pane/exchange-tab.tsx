import { useLoaded } from '../core/use-loaded.ts'
import { ExchangeColumns } from '../parts/exchange/exchange-columns.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { subject } from '../state/diagnostics.ts'
import { loadExchange } from '../state/exchanges.ts'

/** The request of the selected widget, compared with its last successful render. */
export function ExchangeTab() {
  const view = subject.value?.view ?? null
  const exchange = useLoaded(view?.exchangeId ?? null, loadExchange)
  if (view?.exchangeId == null) return <p class="muted">No request was recorded.</p>
  if (exchange === null) return <Skeleton lines={4} label="Loading request" />
  if (typeof exchange === 'string') return <p>{exchange}</p>
  return <ExchangeColumns exchange={exchange} otherId={view.lastGood?.exchangeId} />
}
