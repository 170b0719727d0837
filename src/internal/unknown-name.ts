import { closestMatch } from './closest-match.ts'

/**
 * Describes the first unknown name of an object, with the fix. Returns
 * `undefined` if all names are known.
 *
 * @param prefix the path of the object, such as `limits.`
 */
export function describeUnknownName(
  kind: 'option' | 'ID',
  object: object,
  known: readonly string[],
  prefix = '',
): string | undefined {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const suggestion =
    closestMatch(unknown, known) ??
    // A name without its unit differs too much for the spelling check.
    known.find((name) => unknown !== '' && name.startsWith(unknown))
  const hint =
    suggestion === undefined
      ? `The ${kind}s are ${known.join(', ')}.`
      : `Did you mean ${suggestion}?`
  return `there is no ${kind} ${JSON.stringify(prefix + unknown.slice(0, 64))}. ${hint}`
}
