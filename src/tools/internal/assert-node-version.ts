import { SidecardError } from '../../runtime/internal/errors.ts'

const REQUIRED = [22, 13] as const

/**
 * Throws on a Node version that is too old. The message names the part of the
 * package that requires a newer one. Other runtimes are not checked.
 *
 * @throws {SidecardError} `unsupported_node`
 */
export function assertNodeVersion(
  part: string,
  version = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node,
): void {
  if (version === undefined) return
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [requiredMajor, requiredMinor] = REQUIRED
  // Not localeCompare(), which loads a collation: 6 ms at the start of a process.
  if (major > requiredMajor || (major === requiredMajor && minor >= requiredMinor)) return
  throw new SidecardError(
    'unsupported_node',
    `${part} requires Node ${REQUIRED.join('.')} or later. You are running Node ${version}.`,
  )
}
