import type { Finding } from '../../service/rules/rule.ts'
import { RuleId } from './rule-id.tsx'
import { classes } from '../core/classes.ts'
import style from './findings.module.css'

interface FindingListProps {
  readonly findings: readonly Finding[]
}

/** Findings with their path, message and fix. */
export function FindingList({ findings }: FindingListProps) {
  if (findings.length === 0) return null
  return (
    <ul class={style.findings}>
      {findings.map((finding, index) => (
        <li key={index}>
          <FindingView {...finding} />
        </li>
      ))}
    </ul>
  )
}

type FindingViewProps = Omit<Finding, 'level'> & { readonly level?: Finding['level'] }

/** A finding: its message, then its level, path and rule, and the fix. */
export function FindingView({ level, path, rule, message, fix }: FindingViewProps) {
  return (
    <div class={style.finding}>
      <p class={style['finding-message']} dir="auto">
        {message}
      </p>
      <div class={style['finding-head']}>
        {level !== undefined && <Level level={level} />}
        {path !== undefined && <code class={style['finding-path']}>{path}</code>}
        <RuleId id={rule} />
      </div>
      <p class={style['finding-fix']}>{fix}</p>
    </div>
  )
}

/** The level of a rule. */
export function Level({ level }: { readonly level: Finding['level'] }) {
  return <span class={classes(style.level, style[`level-${level}`])}>{level}</span>
}
