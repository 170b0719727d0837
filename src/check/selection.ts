import { SidecardError } from '../errors.ts'
import { closest } from '../internal/closest.ts'
import { GROUPS, RULES } from './rules/index.ts'
import type { CheckRule } from './rules/rule.ts'

/**
 * The rules that `only` and `skip` leave; each entry is the id of a rule or the
 * name of a group.
 *
 * @throws {SidecardError} `unknown_rule` for an entry that is neither.
 */
export function selectRules(
  only: readonly string[] | undefined,
  skip: readonly string[] = [],
): readonly CheckRule[] {
  for (const name of [...(only ?? []), ...skip]) assertKnown(name)
  const named = ({ id, group }: CheckRule, names: readonly string[]) =>
    names.includes(id) || names.includes(group)
  return RULES.filter((rule) => (only === undefined || named(rule, only)) && !named(rule, skip))
}

/**
 * The rule with an id.
 *
 * @throws {SidecardError} `unknown_rule` when there is none.
 */
export function findRule(id: string): CheckRule {
  const rule = RULES.find((each) => each.id === id)
  if (rule === undefined) throw unknown(id)
  return rule
}

function assertKnown(name: string): void {
  const known = GROUPS.some((group) => group === name) || RULES.some(({ id }) => id === name)
  if (!known) throw unknown(name)
}

function unknown(name: string): SidecardError {
  const meant = closest(name, [...RULES.map(({ id }) => id), ...GROUPS])
  const hint =
    meant === undefined ? 'sidecard check --list shows them all' : `did you mean ${meant}`
  return new SidecardError(
    'unknown_rule',
    `${JSON.stringify(name)} is no rule and no group: ${hint}.`,
  )
}
