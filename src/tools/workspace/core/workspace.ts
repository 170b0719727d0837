import { computed, signal } from '@preact/signals'
import type { AppView, WorkspaceState } from '../../emulator/protocol/workspace.ts'
import { control, errorMessage } from './control.ts'

/** The state of the emulator; null until it is loaded. */
export const workspace = signal<WorkspaceState | null>(null)

/** The reason why the workspace cannot be loaded. */
export const workspaceError = signal<string | null>(null)

/** The apps, in the order of the sidebar. */
export const apps = computed<readonly AppView[]>(() => workspace.value?.apps ?? [])

/** Returns the app with an ID. */
export function findApp(appId: string | null): AppView | undefined {
  return apps.value.find(({ id }) => id === appId)
}

let running: Promise<void> | null = null
let again = false

/** Fetches the state. Several calls during a pending fetch result in one more fetch. */
export async function refreshWorkspace(): Promise<void> {
  if (running !== null) {
    again = true
    return running
  }
  running = refresh()
  await running
}

async function refresh(): Promise<void> {
  do {
    again = false
    try {
      workspace.value = await control('GET state')
      workspaceError.value = null
    } catch (error) {
      workspaceError.value = errorMessage(error)
    }
  } while (again)
  running = null
}

/** Updates an app immediately, before the event about it arrives. */
export function putApp(app: AppView): void {
  const state = workspace.value
  if (state === null) return
  const known = state.apps.some(({ id }) => id === app.id)
  workspace.value = {
    ...state,
    apps: known ? state.apps.map((old) => (old.id === app.id ? app : old)) : [...state.apps, app],
  }
}
