import type { Finding } from '../../../service/rules/rule.ts'
import { RuleId } from './rule-id.tsx'

interface FindingListProps {
  readonly findings: readonly Finding[]
}

/** Findings with their path, message and fix. */
export function FindingList({ findings }: FindingListProps) {
  if (findings.length === 0) return null
  return (
    <ul class="findings">
      {findings.map((finding, index) => (
        <li key={index} class={`finding finding-${finding.level}`}>
          <div class="finding-head">
            <span class={`level level-${finding.level}`}>{finding.level}</span>
            {finding.path !== undefined && <code class="finding-path">{finding.path}</code>}
            <RuleId id={finding.rule} />
          </div>
          <p class="finding-message" dir="auto">
            {finding.message}
          </p>
          <p class="finding-fix">{finding.fix}</p>
        </li>
      ))}
    </ul>
  )
}
