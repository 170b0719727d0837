import { signal } from '@preact/signals'
import type { ExchangeSummary, ExchangeView } from '../../protocol.ts'
import { control, reasonOf } from './control.ts'

const MOST_SHOWN = 200

/** The requests that went to the apps, newest first; null until they were asked for. */
export const exchanges = signal<readonly ExchangeSummary[] | null>(null)

/** Asks for the last requests. */
export async function loadExchanges(): Promise<void> {
  try {
    exchanges.value = await control<readonly ExchangeSummary[]>('GET', 'exchanges')
  } catch {
    // The page says that the connection is lost; the list is asked for again when it is back.
  }
}

/** Puts a request that just ended on top. */
export function addExchange(exchange: ExchangeSummary): void {
  const others = (exchanges.peek() ?? []).filter(({ id }) => id !== exchange.id)
  exchanges.value = [exchange, ...others].slice(0, MOST_SHOWN)
}

/** Everything about one request, or why it cannot be had. */
export async function loadExchange(id: string): Promise<ExchangeView | string> {
  try {
    return await control<ExchangeView>('GET', `exchanges/${encodeURIComponent(id)}`)
  } catch (error) {
    return reasonOf(error)
  }
}

/** Sends the same request again. */
export async function replayExchange(id: string): Promise<ExchangeView | string> {
  try {
    return await control<ExchangeView>('POST', `exchanges/${encodeURIComponent(id)}/replay`)
  } catch (error) {
    return reasonOf(error)
  }
}
