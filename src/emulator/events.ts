import type { WorkspaceEvent } from './protocol.ts'

/** Tells whoever listens what happened. */
export interface EventHub {
  emit(event: WorkspaceEvent): void
  /** @returns ends the subscription */
  subscribe(listener: (event: WorkspaceEvent) => void): () => void
}

/** Makes a hub; a listener that throws costs the others nothing. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: WorkspaceEvent) => void>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // Its reader is gone; it unsubscribes by itself.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
