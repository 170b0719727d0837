import { computed, signal } from '@preact/signals'
import type { AppView, WorkspaceState } from '../../protocol.ts'
import { control, reasonOf } from './control.ts'

/** What the emulator says that there is; null until it said so for the first time. */
export const workspace = signal<WorkspaceState | null>(null)

/** Why there is no workspace yet. */
export const workspaceError = signal<string | null>(null)

/** The apps, in the order of the sidebar. */
export const apps = computed<readonly AppView[]>(() => workspace.value?.apps ?? [])

/** An app by its id. */
export function findApp(appId: string | null): AppView | undefined {
  return apps.value.find(({ id }) => id === appId)
}

let running: Promise<void> | null = null
let again = false

/** Asks for the state; requests that come while one is under way become one more. */
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
      workspace.value = await control<WorkspaceState>('GET', 'state')
      workspaceError.value = null
    } catch (error) {
      workspaceError.value = reasonOf(error)
    }
  } while (again)
  running = null
}

/** Puts an app in place at once, before the event about it comes. */
export function putApp(app: AppView): void {
  const state = workspace.value
  if (state === null) return
  const known = state.apps.some(({ id }) => id === app.id)
  workspace.value = {
    ...state,
    apps: known ? state.apps.map((old) => (old.id === app.id ? app : old)) : [...state.apps, app],
  }
}
