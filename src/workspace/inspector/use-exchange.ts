import { useEffect, useState } from 'preact/hooks'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { loadExchange } from './exchanges.ts'

/** Loads a request; null while it is loading, and a string with the reason if that fails. */
export function useExchange(id: string | null): ExchangeView | string | null {
  const [loaded, setLoaded] = useState<{ id: string; exchange: ExchangeView | string } | null>(null)
  useEffect(() => {
    let isCurrent = true
    if (id !== null) {
      void loadExchange(id).then((exchange) => {
        if (isCurrent) setLoaded({ id, exchange })
      })
    }
    return () => {
      isCurrent = false
    }
  }, [id])
  return loaded?.id === id ? loaded.exchange : null
}
