import { computed, signal } from '@preact/signals'
import { MAX_EXCHANGES } from '../../emulator/protocol/exchanges.ts'
import type { ExchangeSummary, ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { matches } from '../core/matches.ts'
import { notify } from '../core/notify.ts'
import { describeOutcome } from '../core/outcome.ts'
import { routeHash } from './request-as.ts'
import { replaceRoute, route } from '../core/route.ts'

/** The requests to the apps, newest first; null until they are loaded. */
export const exchanges = signal<readonly ExchangeSummary[] | null>(null)

/** The search text of the request list; empty for all requests. */
export const exchangeSearch = signal('')

/** The requests that match the search. */
export const shownExchanges = computed<readonly ExchangeSummary[]>(() =>
  (exchanges.value ?? []).filter((exchange) =>
    matches(exchangeSearch.value, [
      // All requests have the same parameter names, so only the values are searched.
      { ...exchange, parameters: exchange.parameters.map(([, value]) => value) },
      String(exchange.status),
      describeOutcome(exchange).text,
      exchange.injected === null ? '' : 'injected',
    ]),
  ),
)

/** Loads the log. From then on, events keep it up to date. */
export async function loadExchanges(): Promise<void> {
  const before = new Set(exchanges.peek()?.map(({ id }) => id))
  try {
    const loaded = await control('GET exchanges')
    const known = new Set([...before, ...loaded.map(({ id }) => id)])
    // The list lacks requests that ended while it was loading.
    const newer = (exchanges.peek() ?? []).filter(({ id }) => !known.has(id))
    exchanges.value = [...newer, ...loaded].slice(0, MAX_EXCHANGES)
  } catch {
    // The page shows that the connection is lost, and reloads the list when it is back.
  }
}

/** Adds a completed request. */
export function addExchange(exchange: ExchangeSummary): void {
  const others = (exchanges.peek() ?? []).filter(({ id }) => id !== exchange.id)
  exchanges.value = [exchange, ...others].slice(0, MAX_EXCHANGES)
}

/** Loads all details of a request. */
export function loadExchange(exchangeId: string): Promise<ExchangeView> {
  return control('GET exchanges/:exchangeId', { exchangeId })
}

/** Clears the log. */
export async function clearExchanges(): Promise<void> {
  await act(async () => {
    await control('DELETE exchanges')
    forgetExchanges()
    notify('Requests cleared')
  })
}

/** Empties the list after the log was cleared, and closes the open request, which is gone. */
export function forgetExchanges(): void {
  exchanges.value = []
  const { view, id } = route.peek()
  if (view === 'inspector' && id !== null) replaceRoute(routeHash('inspector'))
}
