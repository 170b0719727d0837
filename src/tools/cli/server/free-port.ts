import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import type { CliContext } from '../io.ts'
import { readManifest } from '../read-manifest.ts'
import { usageError } from '../run-command.ts'
import { isListening, portOf } from './listening.ts'
import { findOtherOwner } from './port-owner.ts'

/**
 * Requires a free port: if a different server already used it, the emulator would
 * connect to that server.
 *
 * @throws {SidecardError} `usage`, with a command that works
 */
export async function assertPortIsFree(endpoint: URL, io: CliContext): Promise<void> {
  if (!isLoopback(endpoint.hostname) || !(await isListening(endpoint))) return
  const owner = await findOtherOwner(endpoint, io)
  await rejectPort(owner ?? `Another program uses port ${portOf(endpoint)}`, endpoint, io)
}

/** @throws {SidecardError} `usage`, that names the user of the port and a command with a free one */
export async function rejectPort(owner: string, endpoint: URL, io: CliContext): Promise<never> {
  const free = new URL(endpoint)
  do free.port = String(Math.max(1_024, (Number(portOf(free)) + 1) % 65_536))
  // oxlint-disable-next-line no-await-in-loop -- one probe after another
  while (await isListening(free))
  throw usageError(`${owner}. Stop it, or choose another port: ${portAdvice(portOf(free), io)}`)
}

/** Returns how to use a different port: one variable sets it for `dev`, the server and `check`. */
function portAdvice(port: string, { env, cwd }: CliContext): string {
  const script = env['npm_lifecycle_event']
  const [manager = 'npm'] = (env['npm_config_user_agent'] ?? 'npm').split('/')
  // npx sets the variable as well, to "npx".
  const isScript = script !== undefined && script in (readManifest(cwd).scripts ?? {})
  if (!isScript || process.platform === 'win32') {
    return `set PORT=${port} in the environment or in .env.`
  }
  return `PORT=${port} ${manager} run ${script}`
}
