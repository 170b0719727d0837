import { SidecardError } from '../../runtime/internal/errors.ts'
import { closestMatch } from '../../runtime/internal/closest-match.ts'
import { GROUPS, RULES } from './rules/index.ts'
import type { CheckRule } from './rules/rule.ts'

/**
 * Selects rules. Each entry is the ID of a rule or the name of a group.
 *
 * @throws {SidecardError} `unknown_rule` for an entry that is neither; `invalid_options` if no rule remains.
 */
export function selectRules(
  only: readonly string[] | undefined,
  skip: readonly string[] = [],
): readonly CheckRule[] {
  const known = [...RULES.map(({ id }) => id), ...GROUPS]
  const wrong = [...(only ?? []), ...skip].find((name) => !known.includes(name))
  if (wrong !== undefined) throw unknownRule(wrong, 'rule or group', known)
  const isNamed = ({ id, group }: CheckRule, names: readonly string[]) =>
    names.includes(id) || names.includes(group)
  const rules = RULES.filter(
    (rule) => (only === undefined || isNamed(rule, only)) && !isNamed(rule, skip),
  )
  if (rules.length > 0) return rules
  throw new SidecardError('invalid_options', 'No rule is selected. Change `only` or `skip`.')
}

/** Creates the error about an unknown name. */
export function unknownRule(name: string, kind: string, known: readonly string[]): SidecardError {
  return new SidecardError(
    'unknown_rule',
    `Unknown ${kind} ${JSON.stringify(name)}. ${suggest(name, known)}`,
  )
}

/** Returns what to do about an unknown name, in one sentence. */
export function suggest(name: string, known: readonly string[]): string {
  const suggestion = closestMatch(name, known)
  return suggestion === undefined
    ? 'Run npx sidecard check --list to see all rules.'
    : `Did you mean ${suggestion}?`
}
