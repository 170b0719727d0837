import { builtinModules } from 'node:module'
import { usageError } from '../run-command.ts'

/** What npm, Workers, Docker and every file system take. */
const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/

/** Names of devices on Windows, also as folders. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

const TAKEN = new Set([
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
 * Checks the name of a new project, which becomes a folder, a package and a
 * Worker.
 *
 * @throws {SidecardError} `usage`
 */
export function checkName(name: string): string {
  if (!NAME.test(name)) {
    const suggestion = suggest(name)
    const hint = suggestion === undefined ? '' : `, such as ${suggestion}`
    throw usageError(
      `A name has 1 to 63 lower-case letters, digits, - and _, and begins and ends with a letter or digit${hint}.`,
    )
  }
  if (DEVICE.test(name) || TAKEN.has(name)) {
    throw usageError(
      `The name ${name} is taken by ${DEVICE.test(name) ? 'Windows' : 'a module'}: choose another, such as ${name}-card.`,
    )
  }
  return name
}

/** The nearest name that would do; `undefined` when nothing of it is left. */
function suggest(name: string): string | undefined {
  const near = name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-+|-+$/g, '')
  return NAME.test(near) && !DEVICE.test(near) && !TAKEN.has(near) ? near : undefined
}
