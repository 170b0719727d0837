import type { FaultSettings } from '../../protocol.ts'
import { announce } from './announce.ts'
import { control, reasonOf } from './control.ts'
import { workspace } from './workspace.ts'

/** Puts faults in force; what the emulator made of them is shown at once. */
export async function setFaults(settings: FaultSettings): Promise<void> {
  try {
    const faults = await control<FaultSettings>('PUT', 'faults', settings)
    const state = workspace.peek()
    if (state !== null) workspace.value = { ...state, faults }
    const count = faults.rules.length
    announce(
      count === 0 ? 'No faults' : `${count} fault ${count === 1 ? 'rule is' : 'rules are'} on`,
    )
  } catch (error) {
    announce(reasonOf(error), 'bad')
  }
}
