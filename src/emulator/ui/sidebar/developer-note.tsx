import type { ComponentChildren } from 'preact'
import type { Finding } from '../../../service/rules/rule.ts'
import type { FailureView } from '../../protocol-exchanges.ts'
import { FAILURE_RULE, FailureList } from '../parts/failure-list.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { routeHash } from '../state/request-as.ts'

interface DeveloperNoteProps {
  readonly message: string
  readonly fix: string
  readonly findings: readonly Finding[]
  readonly failures?: readonly FailureView[]
  readonly exchangeId: string | null
  /** The last successful render. */
  readonly children?: ComponentChildren
}

const MAX_SHOWN = 3

/** The reason why a widget failed and its fix, for the developer. Agents do not see it. */
export function DeveloperNote(props: DeveloperNoteProps) {
  const { message, fix, failures = [], exchangeId, children } = props
  const findings = props.findings.filter(
    ({ level, rule }) => level === 'MUST' && (failures.length === 0 || rule !== FAILURE_RULE),
  )
  const more = findings.length - MAX_SHOWN
  return (
    <div class="developer-note">
      <p class="developer-tag">Only you see this, not agents.</p>
      <FailureList failures={failures} findings={props.findings} />
      <FindingList findings={findings.slice(0, MAX_SHOWN)} />
      {findings.length === 0 && failures.every(({ error }) => error === null) && (
        <div>
          <p class="finding-message" dir="auto">
            {message}
          </p>
          <p class="finding-fix">{fix}</p>
        </div>
      )}
      {exchangeId !== null && (
        <a class="developer-link" href={routeHash('inspector', exchangeId)}>
          {more > 0 ? `${more} more in the inspector` : 'Open in inspector'}
        </a>
      )}
      {children}
    </div>
  )
}
