import type { ExchangeView, ExchangeSummary } from '../../../emulator/protocol/exchanges.ts'
import { Count } from '../count.tsx'

/** Where a request comes from if it is not from the emulator, and the fault that it injected. */
export function Origin({ exchange }: { readonly exchange: ExchangeSummary | ExchangeView }) {
  const { source, injected } = exchange
  return (
    <>
      {source !== 'emulator' && <Count tone="info">{source}</Count>}
      {injected !== null && (
        <Count tone="warn" title="The emulator injected this fault.">
          injected: {injected.type}
        </Count>
      )}
    </>
  )
}
