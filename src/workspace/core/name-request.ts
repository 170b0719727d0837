import type { ExchangeSummary } from '../../emulator/protocol/exchanges.ts'

/** Returns as whom a request was sent: `Northwind Traders · Orders failed`. */
export function nameRequest({ customer, state, isCustom }: ExchangeSummary | Named): string {
  return [customer, state, isCustom && 'custom'].filter(Boolean).join(' · ')
}

type Named = Pick<ExchangeSummary, 'customer' | 'state' | 'isCustom'>
