import { signal } from '@preact/signals'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import type { CustomIds } from '../../emulator/protocol/exchanges.ts'
import { notify } from '../core/notify.ts'
import { readStored, writeStored } from '../core/storage.ts'

/** Named IDs in this browser's storage. */
export interface BrowserPreset {
  readonly name: string
  readonly params: CustomIds
}

const KEY = 'presets'
const MAX_PRESETS = 100

/** The presets of this browser, by name. */
export const browserPresets = signal<readonly BrowserPreset[]>(readPresets())

/** Follows the presets that other tabs of this browser save. */
export function listenToPresets(): void {
  addEventListener('storage', () => {
    browserPresets.value = readPresets()
  })
}

/** Saves a preset. It replaces one with the same name. */
export function savePreset(preset: BrowserPreset): void {
  const others = browserPresets.peek().filter(({ name }) => name !== preset.name)
  if (others.length >= MAX_PRESETS) {
    notify(`This browser keeps ${MAX_PRESETS} presets. Delete one first.`, 'bad')
    return
  }
  put([...others, preset].sort((a, b) => a.name.localeCompare(b.name)))
}

/** Deletes a preset. */
export function deletePreset(name: string): void {
  put(browserPresets.peek().filter((preset) => preset.name !== name))
}

function put(presets: readonly BrowserPreset[]): void {
  browserPresets.value = presets
  writeStored(KEY, presets)
}

function readPresets(): readonly BrowserPreset[] {
  const stored = readStored(KEY)
  return Array.isArray(stored) ? stored.filter(isPreset) : []
}

function isPreset(value: unknown): value is BrowserPreset {
  const { name, params } = (value ?? {}) as { readonly name?: unknown; readonly params?: unknown }
  if (typeof name !== 'string' || typeof params !== 'object' || params === null) return false
  return Object.entries(params).every(
    ([key, id]) =>
      FETCH_DATA_PARAMETERS.some((known) => known === key) &&
      (id === null || typeof id === 'string'),
  )
}
