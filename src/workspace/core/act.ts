import { errorMessage } from './control.ts'
import { notify } from './notify.ts'

/** Performs an action of the user. If it fails, a notice says why. */
export async function act(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    notify(errorMessage(error), 'bad')
  }
}
