import { Command, Option } from 'commander'
import { findUnknownName, type Kind, kind } from '../../runtime/internal/read-options.ts'
import { usageError } from './run-command.ts'

/** Creates a command with its options, and with what its help says after them. */
export function createCommand(name: string, options: readonly Option[], help: string): Command {
  const command = new Command(`sidecard ${name}`).addHelpText('after', help)
  for (const each of options) command.addOption(each)
  return command
}

type Parse = (text: string) => unknown

/** Creates an option whose values a kind validates, with the default of the kind. */
function createOption(
  flags: string,
  description: string,
  of: Kind<unknown>,
  parse: Parse,
  collect: (value: unknown, previous: unknown) => unknown = (value) => value,
): Option {
  const created = new Option(flags, description)
  return created
    .default('fallback' in of ? of.fallback : undefined)
    .argParser((text, previous: unknown) => {
      const value = parse(text)
      if (of.accepts(value)) return collect(value, previous)
      throw usageError(`${created.long} must be ${of.expected}.`)
    })
}

/** Creates an option of a command. A text of digits is a number if the kind accepts one. */
export function option(flags: string, description: string, of: Kind<unknown>): Option {
  return createOption(flags, description, of, (text) =>
    /^\d+$/.test(text) && of.accepts(Number(text)) ? Number(text) : text,
  )
}

/**
 * Creates a repeatable option. Its value is an array.
 *
 * @param parse converts the text of a value; returns an array to add several
 * values
 */
export function listOption(
  flags: string,
  description: string,
  of: Kind<unknown>,
  parse: Parse = (text) => text,
): Option {
  return createOption(flags, description, of, parse, (value, previous) =>
    [previous ?? [], value].flat(),
  )
}

const NAMES: Kind<readonly string[]> = kind(
  'one or more rules or groups, such as handshake. Run npx sidecard check --list to see all rules',
  (value) => (value as readonly string[]).length > 0,
)

/** Creates an option that takes `a,b` or is repeated. Its value is an array of names. */
export function namesOption(flags: string, description: string): Option {
  return listOption(flags, description, NAMES, (text) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
}

/**
 * Returns the item with a name.
 *
 * @throws {SidecardError} `usage`, with the nearest name
 */
export function findNamed<Item extends { readonly name: string }>(
  what: string,
  name: string,
  items: readonly Item[],
): Item {
  const found = items.find((item) => item.name === name)
  if (found !== undefined) return found
  throw unknownName(
    what,
    name,
    items.map((item) => item.name),
  )
}

/** Creates the error of an unknown name, with the nearest one. */
export function unknownName(what: string, name: string, known: readonly string[], flag = '') {
  const problem = findUnknownName(what, { [name]: true }, known)
  return usageError(`${flag}${problem}`)
}
