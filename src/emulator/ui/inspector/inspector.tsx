import { useEffect } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { exchanges, loadExchanges } from '../state/exchanges.ts'
import { ExchangeDetail } from './exchange-detail.tsx'
import { ExchangeList } from './exchange-list.tsx'

/** What was asked of the apps, and what came back. */
export function Inspector({ exchangeId }: { readonly exchangeId: string | null }) {
  useEffect(() => {
    void loadExchanges()
  }, [])
  const list = exchanges.value
  const shownId = exchangeId ?? list?.[0]?.id ?? null
  return (
    <div class="split-view">
      <nav class="split-list" aria-label="Requests to apps">
        <h1 class="split-title">Requests</h1>
        {list === null ? (
          <Skeleton lines={6} label="Loading the requests" />
        ) : (
          <ExchangeList exchanges={list} openId={shownId} />
        )}
      </nav>
      <main class="split-main" id="main" tabIndex={-1}>
        {shownId === null ? (
          <Empty icon="search" heading="h2" title="No request yet">
            <p>
              Connect an app and open an issue: every handshake and every data request shows here,
              exactly as it was sent and answered.
            </p>
          </Empty>
        ) : (
          <ExchangeDetail key={shownId} id={shownId} />
        )}
      </main>
    </div>
  )
}
