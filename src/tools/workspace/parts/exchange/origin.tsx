import type { ExchangeView, ExchangeSummary } from '../../../emulator/protocol/exchanges.ts'
import { Count } from '../count.tsx'

/** The origin of a request that the emulator did not send, and the injected fault. */
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
