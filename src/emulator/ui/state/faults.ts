import type { FaultSettings } from '../../faults/rules.ts'
import { notify } from './notify.ts'
import { control, errorMessage } from './control.ts'
import { workspace } from './workspace.ts'

/** Activates faults, and shows the settings that the emulator returns. */
export async function setFaults(settings: FaultSettings): Promise<void> {
  try {
    const faults = await control<FaultSettings>('PUT', 'faults', settings)
    const state = workspace.peek()
    if (state !== null) workspace.value = { ...state, faults }
    const count = faults.rules.length
    notify(
      count === 0
        ? 'All faults removed'
        : `${count} active fault ${count === 1 ? 'rule' : 'rules'}`,
    )
  } catch (error) {
    notify(errorMessage(error), 'bad')
  }
}
