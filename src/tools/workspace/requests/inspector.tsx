import { route } from '../core/route.ts'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { ExchangeDetail } from './exchange-detail.tsx'
import { ExchangeList } from './exchange-list.tsx'
import { exchanges, shownExchanges } from '../state/exchanges.ts'
import { ListToolbar } from './list-toolbar.tsx'
import style from '../parts/list.module.css'

/** The view with the requests to the apps and their responses. */
export function Inspector() {
  const exchangeId = route.value.id
  const all = exchanges.value
  const shown = shownExchanges.value
  const openId = exchangeId ?? shown[0]?.id ?? null
  return (
    <div class={style.view}>
      <nav class={style.list} aria-label="Requests to apps">
        <h1 class="visually-hidden">Requests</h1>
        <ListToolbar />
        {all === null ? (
          <Skeleton lines={6} label="Loading requests" />
        ) : (
          <ExchangeList exchanges={shown} openId={openId} />
        )}
      </nav>
      <main class="scroll" id="main" tabIndex={-1}>
        {openId === null ? (
          <Empty
            icon="search"
            heading="h2"
            title={all === null || all.length === 0 ? 'No requests yet' : 'No matching requests'}
          >
            {(all === null || all.length === 0) && (
              <p>
                Connect an app and open an issue. Every handshake and data fetch appears here in
                full.
              </p>
            )}
          </Empty>
        ) : (
          <ExchangeDetail key={openId} id={openId} />
        )}
      </main>
    </div>
  )
}
