import type { Finding } from '../../../service/response-rule.ts'
import { Level } from './level.tsx'
import { RuleId } from './rule-id.tsx'
import { capitalize } from '../../../internal/capitalize.ts'
import style from './findings.module.css'

interface FindingListProps {
  readonly findings: readonly Finding[]
}

/** Findings with their path, message and fix. */
export function FindingList({ findings }: FindingListProps) {
  if (findings.length === 0) return null
  return (
    <ul class="stack">
      {findings.map((finding, index) => (
        <li key={index}>
          <FindingView {...finding} />
        </li>
      ))}
    </ul>
  )
}

type FindingViewProps = Omit<Finding, 'level'> & { readonly level?: Finding['level'] }

/** A finding: its message and fix, then its level and rule. */
export function FindingView({ level, rule, ...finding }: FindingViewProps) {
  return (
    <div class={style.finding}>
      <FindingText {...finding} />
      <div class="row wrap">
        {level !== undefined && <Level level={level} />}
        <RuleId id={rule} />
      </div>
    </div>
  )
}

/** The message of a finding as a sentence, and the fix. */
export function FindingText({ path, message, fix }: Pick<Finding, 'path' | 'message' | 'fix'>) {
  return (
    <>
      <p class={style['finding-message']} dir="auto">
        {path === undefined ? (
          capitalize(message)
        ) : (
          <>
            <code class="strong">{path}</code> {message}
          </>
        )}
      </p>
      <p class={style['finding-fix']}>{fix}</p>
    </>
  )
}
