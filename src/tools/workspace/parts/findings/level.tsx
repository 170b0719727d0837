import type { RuleInfo } from '../../../service/response-rule.ts'
import { classes } from '../../core/classes.ts'
import style from './findings.module.css'

const COLORS: Partial<Record<RuleInfo['level'], string>> = { MUST: 'red', SHOULD: 'orange' }

/** The level of a rule. */
export function Level({ level }: { readonly level: RuleInfo['level'] }) {
  return <span class={classes(style.level, COLORS[level] ?? 'gray')}>{level}</span>
}
