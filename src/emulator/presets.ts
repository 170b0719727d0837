import { SidecardError } from '../internal/errors.ts'
import {
  oneOf,
  readOptions,
  record,
  required,
  text,
  withDefault,
} from '../internal/read-options.ts'
import { assertCustomIds } from './host/custom-ids.ts'
import type { CustomIds, PresetView } from './protocol/exchanges.ts'

/** A preset for `createEmulator()` or `presets.add()`. */
export interface PresetInput {
  readonly name: string
  readonly params: CustomIds
  /** @default 'program' */
  readonly source?: PresetView['source']
}

/** The presets, for the parts of the emulator. */
export type PresetRegistry = ReturnType<typeof createPresets>

/** Named IDs that replace those of an issue. */
export interface EmulatorPresets extends Omit<PresetRegistry, 'read' | 'find'> {}

const PRESET_KINDS = {
  name: required(text),
  params: required(record),
  source: withDefault(oneOf('command', 'dataset', 'program'), 'program'),
}

/** Creates the presets of an emulator. */
export function createPresets(changed: () => void) {
  let presets: readonly PresetView[] = []
  let count = 0

  /** Adds a preset that is part of the options of another function. */
  function read(caller: string, given: PresetInput, path: string): PresetView {
    const { name, params, source } = readOptions(caller, given, PRESET_KINDS, path)
    assertCustomIds(caller, params, `${path}params.`)
    count += 1
    const preset = { id: `preset_${count}`, name: name.trim(), source, params: { ...params } }
    presets = [...presets, preset]
    changed()
    return preset
  }

  /** @throws {SidecardError} `not_found` */
  function find(presetId: string): PresetView {
    const preset = presets.find(({ id }) => id === presetId)
    if (preset !== undefined) return preset
    throw new SidecardError('not_found', 'No preset has this ID.')
  }

  return {
    read,
    list: (): readonly PresetView[] => presets,
    /** @throws {SidecardError} `invalid_options` for an empty name, an unknown ID, or an ID that is neither a string nor null */
    add: (preset: PresetInput): PresetView => read('emulator.presets.add', preset, ''),
    find,
    /** @throws {SidecardError} `not_found` */
    remove(presetId: string): void {
      const removed = find(presetId)
      presets = presets.filter((preset) => preset !== removed)
      changed()
    },
  }
}
