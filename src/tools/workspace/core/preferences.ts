import { effect, signal, type Signal } from '@preact/signals'
import { readStored, writeStored } from './storage.ts'

/** The colors of the page; `system` follows the system's setting. */
export type Theme = 'system' | 'light' | 'dark'

export const theme = persistedSignal<Theme>('theme', 'system', (value) =>
  ['system', 'light', 'dark'].includes(String(value)),
)

/** The agent for the pages of actions, as an email and groups: `ann@acme.example, finance`. */
export const actionAgent = persistedSignal<string>(
  'agent',
  '',
  (value) => typeof value === 'string',
)

/** The height of the diagnostics, in CSS pixels. */
export const paneHeight = persistedSignal<number>(
  'pane-height',
  320,
  (value) => typeof value === 'number' && value >= 120 && value <= 2_000,
)

/** Whether truncated text is marked. */
export const showsTruncation = signal(false)

/** Applies the chosen colors to the page. */
export function applyTheme(): void {
  effect(() => {
    document.documentElement.dataset['theme'] = theme.value
  })
}

/** Creates a signal that is stored in the browser. */
function persistedSignal<Value extends string | number>(
  name: string,
  initial: Value,
  isValid: (value: unknown) => boolean,
): Signal<Value> {
  const stored = readStored(name)
  const value = signal<Value>(isValid(stored) ? (stored as Value) : initial)
  effect(() => {
    writeStored(name, value.value)
  })
  return value
}
