import { Option } from 'commander'
import { findUnknownName, type Kind, kind } from '../internal/read-options.ts'
import { usageError } from './run-command.ts'

/** Returns a function that converts and checks the text of a value. */
function reader({ long }: Option, of: Kind<unknown>, parse: (text: string) => unknown) {
  return (text: string) => {
    const value = parse(text)
    if (of.accepts(value)) return value
    throw usageError(`${long} must be ${of.expected}.`)
  }
}

/**
 * Creates an option of a command whose values a kind checks. The default of the
 * kind is the default of the option.
 *
 * @param parse converts the text of a value
 */
export function option(
  flags: string,
  description: string,
  of: Kind<unknown>,
  parse: (text: string) => unknown = (text) => text,
): Option {
  const created = new Option(flags, description)
  return created
    .argParser(reader(created, of, parse))
    .default('fallback' in of ? of.fallback : undefined)
}

/** Creates an option that takes a whole number. */
export function numberOption(flags: string, description: string, of: Kind<number>): Option {
  return option(flags, description, of, (text) => (/^\d+$/.test(text) ? Number(text) : text))
}

/** Creates a repeatable option. Its value is an array. */
export function listOption(
  flags: string,
  description: string,
  of: Kind<unknown>,
  parse: (text: string) => unknown = (text) => text,
): Option {
  const created = new Option(flags, description)
  const read = reader(created, of, parse)
  return created.argParser<readonly unknown[] | undefined>((text, previous) =>
    [previous ?? [], read(text)].flat(),
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
