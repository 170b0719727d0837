import type { FaultSettings } from '../../emulator/faults/rules.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { workspace } from '../core/workspace.ts'

/** Activates faults, and shows the settings that the emulator returns. */
export async function setFaults(settings: FaultSettings): Promise<void> {
  await act(async () => {
    const faults = await control('PUT faults', settings)
    const state = workspace.peek()
    if (state !== null) workspace.value = { ...state, faults }
  })
}
