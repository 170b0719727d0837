import type { Finding } from '../../../desk/rules/rule.ts'

interface FindingListProps {
  readonly findings: readonly Finding[]
  /** Called with the path of a finding that was chosen; without it a path is only shown. */
  readonly onPath?: (path: string) => void
}

/** Findings as a list: where, what, and what to do. The rule's page is named by its id. */
export function FindingList({ findings, onPath }: FindingListProps) {
  return (
    <ul class="findings">
      {findings.map((finding, index) => (
        <li key={index} class={`finding finding-${finding.level}`}>
          <div class="finding-head">
            <span class={`level level-${finding.level}`}>{finding.level}</span>
            <Path path={finding.path} onPath={onPath} />
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

function Path({ path, onPath }: { path: string | undefined; onPath: FindingListProps['onPath'] }) {
  if (path === undefined) return null
  if (onPath === undefined) return <code class="finding-path">{path}</code>
  return (
    <button
      type="button"
      class="finding-path as-link"
      onClick={() => {
        onPath(path)
      }}
    >
      {path}
    </button>
  )
}

/** The id of a rule; its page lies in the documentation under the same name. */
export function RuleId({ id }: { readonly id: string }) {
  return (
    <span class="rule-id" title={`docs/checks/${id}.md · sidecard check --explain ${id}`}>
      {id}
    </span>
  )
}
