import { control } from '../core/control.ts'
import { remote } from '../core/remote.ts'
import { route } from '../core/route.ts'

/** The tasks of the emulated API, newest first. */
export const tasks = remote(() => control('GET tasks'))

/** Fetches the tasks again, if a view shows them. */
export function refreshTasks(): void {
  if (route.peek().view === 'api') void tasks.load()
}
