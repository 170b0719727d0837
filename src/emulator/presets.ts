import { SidecardError } from '../internal/errors.ts'
import { assertCustomIds } from './host/custom-ids.ts'
import type { CustomIds, PresetView } from './protocol-exchanges.ts'

/** A preset for `createEmulator()` or `presets.add()`. */
export interface PresetInput {
  readonly name: string
  readonly params: CustomIds
  /** @default 'program' */
  readonly source?: PresetView['source']
}

/** Named IDs that replace those of an issue. */
export interface EmulatorPresets {
  list(): readonly PresetView[]
  /** @throws {SidecardError} `invalid_preset` for an empty name, `invalid_ids` for an unknown parameter or a value that is not a string */
  add(preset: PresetInput): PresetView
  /** @throws {SidecardError} `not_found` */
  remove(presetId: string): void
}

/** Creates the presets of an emulator. */
export function createPresets(onChange: () => void): EmulatorPresets {
  let presets: PresetView[] = []
  let count = 0
  return {
    list: () => presets,
    add({ name, params, source = 'program' }) {
      if (typeof name !== 'string' || name.trim() === '') {
        throw new SidecardError('invalid_preset', 'presets: the name is empty. Pass a name.')
      }
      assertCustomIds(params, 'presets')
      count += 1
      const preset = { id: `preset_${count}`, name: name.trim(), source, params: { ...params } }
      presets = [...presets, preset]
      onChange()
      return preset
    },
    remove(presetId) {
      if (!presets.some(({ id }) => id === presetId)) {
        throw new SidecardError('not_found', 'No preset has this ID.')
      }
      presets = presets.filter(({ id }) => id !== presetId)
      onChange()
    },
  }
}
