import { isLoopback } from '../../../runtime/internal/is-loopback.ts'
import { isListening } from '../server/listening.ts'
import { findOtherOwner } from '../server/port-owner.ts'
import { rejectPort } from '../server/free-port.ts'
import type { CliContext } from '../io.ts'
import { readManifest } from '../read-manifest.ts'
import type { SelectedApp } from './select-apps.ts'

/**
 * Returns whether an app's command must be started: on this machine, where nothing listens.
 *
 * @param io with the folder of the project
 * @throws {SidecardError} `usage` if a different project or program listens
 */
export async function needsServer({ command, url }: SelectedApp, io: CliContext): Promise<boolean> {
  if (command === undefined || !isLoopback(url.hostname)) return false
  if (!(await isListening(url))) return true
  const owner = await findOtherOwner(url, io)
  if (owner !== undefined) await rejectPort(owner, url, io)
  return false
}

/**
 * Splits a command at spaces. An npm script that only runs `wrangler dev` or Node
 * is replaced by its text: a Worker gets its variables as options, and npm takes a
 * third of a second of each restart.
 */
export function readCommand(command: string, folder: string): readonly string[] {
  const words = command.trim().split(/\s+/)
  const [, script] = /^(?:npm|pnpm|yarn|bun)(?: run)? ([\w:-]+)$/.exec(words.join(' ')) ?? []
  if (script === undefined) return words
  const { [script]: text = '', [`pre${script}`]: before } = readManifest(folder).scripts ?? {}
  const isPlain = /^(?:wrangler dev|node)(?: [^"'`$\\|&;<>*?~]*)?$/.test(text)
  return isPlain && before === undefined ? text.split(/\s+/) : words
}
