import type { WorkspaceEvent } from '../protocol/workspace.ts'

/** Sends events to subscribers. */
export type EventHub = ReturnType<typeof createEventHub>

/** Creates a hub. A listener that throws does not affect the others. */
export function createEventHub() {
  const listeners = new Set<(event: WorkspaceEvent) => void>()
  return {
    emit(event: WorkspaceEvent): void {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch {
          // A listener whose reader has disconnected unsubscribes itself.
        }
      }
    },
    /** @returns a function that ends the subscription */
    subscribe(listener: (event: WorkspaceEvent) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The number of subscribers. Each page of the workspace is one. */
    get subscribers() {
      return listeners.size
    },
  }
}
