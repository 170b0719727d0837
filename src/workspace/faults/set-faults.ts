import type { FaultPresetView, FaultSettings } from '../../emulator/faults/rules.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { workspace } from '../core/workspace.ts'
import { isSameRule } from './format-rule.ts'

/** Returns whether all rules of a preset are active. */
export function isActive({ rules }: FaultPresetView, faults: FaultSettings): boolean {
  return (
    rules.length > 0 && rules.every((rule) => faults.rules.some((other) => isSameRule(rule, other)))
  )
}

/** Activates the rules of a preset, or removes them if they are active. */
export async function togglePreset(preset: FaultPresetView): Promise<void> {
  const faults = workspace.peek()?.faults
  if (faults === undefined) return
  const others = faults.rules.filter((rule) => !preset.rules.some((each) => isSameRule(each, rule)))
  const rules = isActive(preset, faults) ? others : [...others, ...preset.rules]
  await setFaults({ ...faults, rules })
}

/** Activates faults, and shows the settings that the emulator returns. */
export async function setFaults(settings: FaultSettings): Promise<void> {
  await act(async () => {
    const faults = await control('PUT faults', settings)
    const state = workspace.peek()
    if (state !== null) workspace.value = { ...state, faults }
  })
}
