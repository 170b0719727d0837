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
        <li key={index} class={style.finding}>
          <div class={style['finding-head']}>
            <span class={classes(style.level, style[`level-${finding.level}`])}>
              {finding.level}
            </span>
            {finding.path !== undefined && (
              <code class={style['finding-path']}>{finding.path}</code>
            )}
            <RuleId id={finding.rule} />
          </div>
          <p class={style['finding-message']} dir="auto">
            {finding.message}
          </p>
          <p class={style['finding-fix']}>{finding.fix}</p>
        </li>
      ))}
    </ul>
  )
}
