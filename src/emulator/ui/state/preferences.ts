import { effect, signal } from '@preact/signals'
import type { Signal } from '@preact/signals'
import type { ScenarioId } from '../../host/scenarios.ts'

/** How the page is coloured; `system` follows the reader's own setting. */
export type Theme = 'system' | 'light' | 'dark'

/** The widths of the sidebar, in CSS pixels. */
export const SIDEBAR_WIDTHS = [280, 320, 400] as const

export const theme = remembered<Theme>('theme', 'system', isOneOf('system', 'light', 'dark'))
export const sidebarWidth = remembered<number>('sidebar-width', 320, isOneOf(...SIDEBAR_WIDTHS))

/** Whether what the sidebar cuts is marked. */
export const showsTruncation = signal(false)

/** Who is calling, and how. Never remembered: a forgotten scenario looks like a broken app. */
export const scenario = signal<ScenarioId>('as-is')

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
})

/** A signal that outlives the page; where storage is refused it is a plain signal. */
function remembered<Value extends string | number>(
  name: string,
  initial: Value,
  isValid: (value: unknown) => boolean,
): Signal<Value> {
  const key = `sidecard.${name}`
  const stored = read(key)
  const value = signal<Value>(isValid(stored) ? (stored as Value) : initial)
  effect(() => {
    write(key, value.value)
  })
  return value
}

function isOneOf(...values: readonly unknown[]): (value: unknown) => boolean {
  return (value) => values.includes(value)
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // A browser that refuses storage only forgets.
  }
}
