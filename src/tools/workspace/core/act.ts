import { errorMessage } from './control.ts'
import { notify } from './notify.ts'

/** Performs a user's action. If it fails, a notice explains why. */
export async function act(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    notify(errorMessage(error), 'bad')
  }
}
