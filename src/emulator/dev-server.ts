import type { DevServerView } from './protocol/workspace.ts'

/** The status of the dev command, which the workspace shows. */
export type EmulatorDevServer = ReturnType<typeof createDevServerStatus>

/** Creates the status of a dev server that has not started yet. */
export function createDevServerStatus(onChange: () => void) {
  let current: DevServerView | null = null
  return {
    /** `null` without a command. */
    get current(): DevServerView | null {
      return current
    },
    set(status: DevServerView | null): void {
      current = status
      onChange()
    },
  }
}
