import { SidecardError } from './errors.ts'

const REQUIRED = '22.13'

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
  if (version.localeCompare(REQUIRED, 'en', { numeric: true }) >= 0) return
  throw new SidecardError(
    'unsupported_node',
    `${part} requires Node ${REQUIRED} or later. You are running Node ${version}.`,
  )
}
