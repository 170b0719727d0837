import type { SaveView } from '../protocol/workspace.ts'
import type { EventHub } from './events.ts'

/** Keeps what happened to the newest save of each server, which the workspace shows. */
export function createSaves(events: Pick<EventHub, 'emit'>) {
  const views = new Map<object, SaveView>()
  const list = () => [...views.values()]
  return {
    list,
    /** @param server any object that stands for the server */
    set(server: object, view: SaveView): void {
      views.set(server, view)
      events.emit({ type: 'saves', saves: list() })
    },
    /** Loads the files that wait. `sidecard dev` replaces it. */
    load: (): void => undefined,
  }
}
