import { isSidecardError } from '../../../runtime/internal/errors.ts'
import type { Listener } from '../../emulator/listener/listen.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import type { DevSettings } from './settings.ts'

/** The default port of the workspace. */
const WORKSPACE_PORT = 4_310
const MAX_ATTEMPTS = 100

/**
 * Opens the port of the workspace. Without a port, it is 4310 or the next free
 * one, so that several projects can run at the same time.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function listenOnPort(
  emulator: Emulator,
  { port, listen }: Pick<DevSettings, 'port' | 'listen'>,
): Promise<Listener> {
  if (port !== undefined) return emulator.listen({ ...listen, port })
  for (let next = WORKSPACE_PORT; ; next += 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the next port only if this one is in use
      return await emulator.listen({ ...listen, port: next })
    } catch (error) {
      const isInUse = isSidecardError(error) && error.code === 'port_in_use'
      if (!isInUse || next === WORKSPACE_PORT + MAX_ATTEMPTS) throw error
    }
  }
}
