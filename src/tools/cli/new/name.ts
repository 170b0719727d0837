import { builtinModules } from 'node:module'
import { usageError } from '../run-command.ts'

/** Matches names that npm, Workers, Docker and every file system accept. */
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

const isReserved = (name: string) => DEVICE.test(name) || RESERVED_NAMES.has(name)

/**
 * Validates the name of a new project, which becomes a folder, a package and a
 * Worker.
 *
 * @throws {SidecardError} `usage`
 */
export function validateName(name: string): string {
  if (NAME.test(name) && !isReserved(name)) return name
  if (NAME.test(name)) {
    throw usageError(
      `The name ${name} is reserved (${DEVICE.test(name) ? 'Windows device' : 'module name'}). Choose another, such as ${name}-card.`,
    )
  }
  const words =
    name
      .slice(0, 200)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const near = words.join('-').slice(0, 63)
  const hint = NAME.test(near) && !isReserved(near) ? `, such as ${near}` : ''
  throw usageError(
    `Use 1 to 63 lowercase letters, digits, - and _. Start and end with a letter or digit${hint}.`,
  )
}
