import { signal } from '@preact/signals'
import type { ConsoleEntry } from '../../emulator/protocol/exchanges.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'

const MAX_LINES = 5_000

/** The output of the dev command, oldest first; null until it is loaded. */
export const consoleEntries = signal<readonly ConsoleEntry[] | null>(null)

/** Loads the console. From then on, events keep it up to date. */
export async function loadConsole(): Promise<void> {
  try {
    const loaded = await control('GET console')
    const newer = consoleEntries.peek() ?? []
    // Lines that arrived during the request may be missing from its response.
    consoleEntries.value = loaded
    addConsoleEntries(newer)
  } catch {
    // The page shows that the connection is lost, and reloads the console when it is back.
  }
}

/** Adds new lines. */
export function addConsoleEntries(entries: readonly ConsoleEntry[]): void {
  const known = consoleEntries.peek() ?? []
  const last = known.at(-1)?.id ?? -1
  consoleEntries.value = [...known, ...entries.filter(({ id }) => id > last)].slice(-MAX_LINES)
}

/** Clears the console. */
export async function clearConsole(): Promise<void> {
  await act(async () => {
    await control('DELETE console')
    consoleEntries.value = []
  })
}
