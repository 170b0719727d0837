import { signal } from '@preact/signals'
import type { TaskView } from '../../emulator/protocol/tasks.ts'
import { control, errorMessage } from '../core/control.ts'

/** The tasks of the emulated API, newest first; null until they are loaded. */
export const tasks = signal<readonly TaskView[] | null>(null)

/** The reason why the tasks cannot be loaded. */
export const tasksError = signal<string | null>(null)

let loads = 0

/** Fetches the tasks. */
export async function loadTasks(): Promise<void> {
  const own = (loads += 1)
  try {
    const list = await control('GET tasks')
    // Only the last request that was sent counts.
    if (own === loads) tasks.value = list
    tasksError.value = null
  } catch (error) {
    tasksError.value = errorMessage(error)
  }
}

/** Fetches the tasks again, if a view has ever shown them. */
export function refreshTasks(): void {
  if (loads > 0) void loadTasks()
}
