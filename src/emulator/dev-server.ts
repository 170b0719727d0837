import type { DevServerView } from './protocol/workspace.ts'

/** The status of the dev command, which the workspace shows. */
export interface EmulatorDevServer {
  /** `null` without a command. */
  readonly current: DevServerView | null
  set(status: DevServerView | null): void
}

/** Creates the status of a dev server that has not started yet. */
export function createDevServerStatus(onChange: () => void): EmulatorDevServer {
  let current: DevServerView | null = null
  return {
    get current() {
      return current
    },
    set(status) {
      current = status
      onChange()
    },
  }
}
