import type { FaultSettings } from '../../emulator/faults/rules.ts'
import { notify } from '../core/notify.ts'
import { control, errorMessage } from '../core/control.ts'
import { workspace } from '../core/workspace.ts'

/** Activates faults, and shows the settings that the emulator returns. */
export async function setFaults(settings: FaultSettings): Promise<void> {
  try {
    const faults = await control('PUT faults', settings)
    const state = workspace.peek()
    if (state !== null) workspace.value = { ...state, faults }
  } catch (error) {
    notify(errorMessage(error), 'bad')
  }
}
