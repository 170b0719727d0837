import type { ComponentChildren } from 'preact'
import type { FailureView } from '../../emulator/protocol/exchanges.ts'
import type { Finding } from '../../service/rules/rule.ts'
import { FindingList } from '../parts/finding-list.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { FAILURE_RULE, FailureList } from './failure-list.tsx'
import findingsStyle from '../parts/findings.module.css'
import diagnosticsStyle from './diagnostics.module.css'

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
    <div class={diagnosticsStyle['developer-note']}>
      <p class={diagnosticsStyle['developer-tag']}>Only you see this, not agents.</p>
      <FailureList failures={failures} findings={props.findings} />
      <FindingList findings={findings.slice(0, MAX_SHOWN)} />
      {findings.length === 0 && failures.every(({ error }) => error === null) && (
        <div>
          <p class={findingsStyle['finding-message']} dir="auto">
            {message}
          </p>
          <p class={findingsStyle['finding-fix']}>{fix}</p>
        </div>
      )}
      {exchangeId !== null && (
        <a class={diagnosticsStyle['developer-link']} href={routeHash('inspector', exchangeId)}>
          {more > 0 ? `${more} more in the inspector` : 'Open in inspector'}
        </a>
      )}
      {children}
    </div>
  )
}
