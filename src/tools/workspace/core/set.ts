import type { Signal } from '@preact/signals'

/** Returns a function that sets a signal, as an event handler. */
export function set<Value>(signal: Signal<Value>, value: Value): () => void {
  return () => {
    signal.value = value
  }
}
