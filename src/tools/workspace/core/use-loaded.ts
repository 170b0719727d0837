import { useEffect, useState } from 'preact/hooks'
import { errorMessage } from './control.ts'

/**
 * Loads a value for a key. The result is null while the value is loading, and a
 * string with the reason if loading fails. Without a key, it does not load.
 */
export function useLoaded<Value extends object>(
  key: string | null,
  load: (key: string) => Promise<Value>,
): Value | string | null {
  const [loaded, setLoaded] = useState<{ key: string; value: Value | string } | null>(null)
  useEffect(() => {
    let isCurrent = true
    if (key !== null) {
      void load(key)
        .catch(errorMessage)
        .then((value) => isCurrent && setLoaded({ key, value }))
    }
    return () => {
      isCurrent = false
    }
  }, [key])
  return loaded?.key === key ? loaded.value : null
}
