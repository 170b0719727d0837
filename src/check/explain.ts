import { GROUPS, RULES } from './rules/index.ts'
import type { CheckRule } from './rules/rule.ts'
import { PLAIN } from './reporters/palette.ts'
import type { Palette } from './reporters/palette.ts'
import { wrap } from './reporters/wrap.ts'

const LEVELS = {
  MUST: 'breaking it fails a run',
  SHOULD: 'the safe reading: breaking it is a warning',
  ASSUMED: 'not shown by the contract: breaking it is a warning',
} as const

/** What a level means for a run. */
export function levelMeaning({ level, contract }: CheckRule): string {
  return contract.basis === 'harm' ? 'harm already done: breaking it fails a run' : LEVELS[level]
}

/** A rule in full, for a person. */
export function explainRule(rule: CheckRule, palette: Palette = PLAIN, width = 100): string {
  const indent = '            '
  const line = (label: string, text: string) =>
    `  ${palette.dim(label.padEnd(10))}${wrap(text, width, indent)}`
  return `${[
    `${palette.bold(rule.id)}  ${rule.title}`,
    '',
    line('level', `${rule.level}: ${levelMeaning(rule)}`),
    line('contract', rule.contract.says),
    line('why', rule.why),
    line('fix', rule.fix),
    ...(rule.assumption === undefined
      ? []
      : [line('assumes', `${rule.assumption}: docs/assumptions.md`)]),
    line('more', `docs/checks/${rule.id}.md`),
  ].join('\n')}\n`
}

/** A rule as data: what {@link explainRule} and {@link listRules} say of it. */
export function ruleAsJson({ id, group, level, title, contract, assumption, why, fix }: CheckRule) {
  return { id, group, level, title, contract: contract.says, assumption, why, fix }
}

/** Every rule in one line, by group; in several where they do not fit the width. */
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
