import { GROUPS, RULES } from '../../check/rules/index.ts'
import type { CheckRule } from '../../check/rules/rule.ts'
import { unknownRule } from '../../check/selection.ts'
import { type Palette, PLAIN } from '../../internal/palette.ts'
import { wrap } from '../../internal/wrap.ts'

const LEVELS = {
  MUST: 'required by the contract: a violation fails the run',
  SHOULD: 'recommended: a violation is a warning',
  ASSUMED: 'not specified by the contract: a violation is a warning',
} as const

/** Describes the effect of a rule's level on a run. */
export function describeLevel({ level, contract, isAdvice, failsRun }: CheckRule): string {
  if (failsRun === true) return 'not specified by the contract: a violation fails the run'
  if (isAdvice === true) return 'advice: a violation is a warning that never fails the run'
  return contract.basis === 'harm'
    ? 'harmful regardless of the contract: a violation fails the run'
    : LEVELS[level]
}

/**
 * Returns the rule with an ID.
 *
 * @throws {SidecardError} `unknown_rule` if there is none.
 */
export function findRule(id: string): CheckRule {
  const rule = RULES.find((each) => each.id === id)
  if (rule !== undefined) return rule
  const ids = RULES.map((each) => each.id)
  throw unknownRule(id, 'rule', ids)
}

/** Formats the whole page of a rule for a terminal. */
export function explainRule(rule: CheckRule, palette: Palette = PLAIN, width = 100): string {
  const section = (title: string, ...texts: readonly string[]) => [
    '',
    palette.bold(title),
    ...texts.map((text) => `  ${wrap(text, width, '  ')}`),
  ]
  const { contract, assumption } = rule
  const relies = `Relies on assumption ${assumption} (${docsPath('assumptions.md')}).`
  return `${[
    `${palette.bold(rule.id)}  ${wrap(rule.title, width, '  ')}`,
    palette.dim(`${rule.level}, ${describeLevel(rule)}`),
    palette.dim(`group ${rule.group}`),
    ...section('The contract', contract.statement, ...(assumption === undefined ? [] : [relies])),
    ...section('Why', rule.why),
    ...section('Fix', rule.fix),
    ...section(
      'Check this rule alone',
      `npx sidecard check https://example.com/widget --only ${rule.id}`,
    ),
    ...section('This page', docsPath(`checks/${rule.group}.md#${rule.id}`)),
  ].join('\n')}\n`
}

/** Returns the path of a page in the installed package. */
function docsPath(page: string): string {
  return `node_modules/sidecard/docs/${page}`
}

/** Converts a rule to the data that `explainRule()` and `listRules()` show. */
export function ruleToJson({ id, group, level, title, contract, assumption, why, fix }: CheckRule) {
  return { id, group, level, title, contract: contract.statement, assumption, why, fix }
}

/** Formats every rule in one line, by group. Lines that exceed the width are wrapped. */
export function listRules(palette: Palette = PLAIN, width = 100): string {
  const longest = Math.max(...RULES.map(({ id }) => id.length))
  const indent = ' '.repeat(longest + 13)
  return `${GROUPS.map((group) =>
    [
      palette.bold(group),
      ...RULES.filter((rule) => rule.group === group).map(
        ({ id, level, title }) =>
          `  ${id.padEnd(longest)}  ${palette.dim(level.padEnd(7))}  ${wrap(title, width, indent)}`,
      ),
    ].join('\n'),
  ).join('\n\n')}\n`
}
