import { builtinModules } from 'node:module'
import { usageError } from '../run-command.ts'

/** Names that npm, Workers, Docker and every file system accept. */
const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/

/** Windows device names, which are not allowed as folder names. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

const RESERVED_NAMES = new Set([
  ...builtinModules,
  'node_modules',
  'sidecard',
  'hono',
  'zod',
  'wrangler',
  'vitest',
  'typescript',
  'oxlint',
  'pg',
])

/**
 * Validates the name of a new project, which becomes a folder, a package and a
 * Worker.
 *
 * @throws {SidecardError} `usage`
 */
export function validateName(name: string): string {
  if (!NAME.test(name)) {
    const suggestion = suggest(name)
    const hint = suggestion === undefined ? '' : `, such as ${suggestion}`
    throw usageError(
      `Use 1 to 63 lowercase letters, digits, - and _. Start and end with a letter or digit${hint}.`,
    )
  }
  if (DEVICE.test(name) || RESERVED_NAMES.has(name)) {
    throw usageError(
      `The name ${name} is reserved (${DEVICE.test(name) ? 'Windows device' : 'module name'}). Choose another, such as ${name}-card.`,
    )
  }
  return name
}

/** Returns the closest valid name, or `undefined` if no character of it is valid. */
function suggest(name: string): string | undefined {
  const near = name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  return NAME.test(near) && !DEVICE.test(near) && !RESERVED_NAMES.has(near) ? near : undefined
}
