import { signal } from '@preact/signals'
import { errorMessage } from './control.ts'

/** A value that is fetched from the emulator whenever it may have changed. */
export function remote<Value>(fetch: () => Promise<Value>) {
  /** The newest value, also while the next one is loading; null until the first one is loaded. */
  const data = signal<Value | null>(null)
  /** Why the newest value could not be loaded. */
  const error = signal<string | null>(null)
  const isLoading = signal(false)
  let newest = 0

  /** Fetches the value. The response of an earlier call never replaces that of a later one. */
  async function load(): Promise<void> {
    newest += 1
    const own = newest
    isLoading.value = true
    const [value, reason] = await fetch().then(
      (loaded) => [loaded, null] as const,
      (failure: unknown) => [null, errorMessage(failure)] as const,
    )
    if (own !== newest) return
    data.value = value ?? data.peek()
    error.value = reason
    isLoading.value = false
  }

  return { data, error, isLoading, load }
}
