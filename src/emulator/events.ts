import type { WorkspaceEvent } from './protocol/workspace.ts'

/** Sends events to subscribers. */
export interface EventHub {
  emit(event: WorkspaceEvent): void
  /** @returns a function that ends the subscription */
  subscribe(listener: (event: WorkspaceEvent) => void): () => void
  /** The number of subscribers. Each page of the workspace is one. */
  readonly subscribers: number
}

/** Creates a hub. A listener that throws does not affect the others. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: WorkspaceEvent) => void>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // Its reader has disconnected; it unsubscribes itself.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    get subscribers() {
      return listeners.size
    },
  }
}
