import type { ExchangeSummary } from '../../emulator/protocol/exchanges.ts'

/** Returns the title of a request: `Northwind Traders`, `Handshake`, `Confirmed: refund`. */
export function titleOf(
  exchange: ExchangeSummary | (Named & Pick<ExchangeSummary, 'kind' | 'action'>),
): string {
  const { kind, action } = exchange
  if (action !== null)
    return `${action.method === 'POST' ? 'Confirmed' : 'Opened'}: ${action.name || 'a link'}`
  return kind === 'verify' ? 'Handshake' : nameRequest(exchange) || 'Data fetch'
}

/** Returns the customer and the state of a request: `Northwind Traders · Orders failed`. */
export function nameRequest({ customer, state, isCustom }: ExchangeSummary | Named): string {
  return [customer, state, isCustom && 'custom'].filter(Boolean).join(' · ')
}

type Named = Pick<ExchangeSummary, 'customer' | 'state' | 'isCustom'>
