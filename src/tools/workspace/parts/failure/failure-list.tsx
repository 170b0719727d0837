import { Count } from '../count.tsx'
import { CodeBlock } from '../code/code-block.tsx'
import type { FailureErrorView, FailureView } from '../../../emulator/protocol/exchanges.ts'
import type { Finding, RuleInfo } from '../../../service/response-rule.ts'
import { ruleIndex } from '../../core/rules.ts'
import { FindingView } from '../findings/finding-list.tsx'
import { RuleId } from '../findings/rule-id.tsx'
import findingsStyle from '../findings/findings.module.css'
import { CodeFrameView } from './code-frame.tsx'
import { IntendedFailures } from './intended-failures.tsx'
import { ErrorMessage } from './error-message.tsx'
import style from './diagnostics.module.css'

const KINDS = {
  callback_failed: 'fetchData threw an error',
  timeout: 'fetchData timed out',
  invalid_payload: 'The payload is invalid',
  payload_too_large: 'The payload is too large',
  identity_failed: 'The identity lookup failed',
  section_failed: 'A section failed',
  section_timeout: 'A section timed out',
  unknown: 'The failure header is malformed',
} satisfies Record<FailureView['kind'], string>

interface FailureListProps {
  readonly failures: readonly FailureView[]
  /** The findings of the response, which contain the fixes of the failures. */
  readonly findings: readonly Finding[]
}

/** The rule that a reported failure violates. */
export const FAILURE_RULE = 'data-failure'

/** The failures that an endpoint reports, with their errors if the endpoint sends them. */
export function FailureList({ failures, findings }: FailureListProps) {
  const unexpected = failures.filter(({ intended }) => !intended)
  return (
    <>
      {unexpected.length > 0 && (
        <ul class="stack">
          {unexpected.map((failure, index) => (
            <li key={index} class={style.failure}>
              <Failure
                failure={failure}
                fix={findings.filter(({ rule }) => rule === FAILURE_RULE)[index]?.fix}
              />
            </li>
          ))}
        </ul>
      )}
      <IntendedFailures failures={failures} />
    </>
  )
}

interface FailureProps {
  readonly failure: FailureView
  readonly fix: string | undefined
}

/** A failure: its message, then the line of code, and last the IDs that identify it. */
function Failure({ failure, fix }: FailureProps) {
  const { kind, section, stale, traceId, component, error } = failure
  const message = error === null ? KINDS[kind] : `${error.name}: ${error.message}`
  return (
    <>
      <ErrorMessage
        text={section === null ? message : `${section}: ${message}`}
        details={error?.stack}
      />
      {error === null ? (
        <>
          <p class="hint">
            The endpoint did not send the error. Run it with SIDECARD_DEV=1 to see it here.
          </p>
          {/* The error says more than the fix, which would repeat its first issue. */}
          {fix !== undefined && <p class={findingsStyle['finding-fix']}>{fix}</p>}
        </>
      ) : (
        <ErrorDetails error={error} />
      )}
      <p class={style.meta}>
        {error !== null && <span>{KINDS[kind]}</span>}
        <code>{kind}</code>
        {stale && <Count tone="warn">stale content shown</Count>}
        {component !== null && <span>Replaced: components[{component}]</span>}
        {traceId !== null && (
          <span>
            Trace ID: <code>{traceId}</code>
          </span>
        )}
        <RuleId id={FAILURE_RULE} />
      </p>
    </>
  )
}

function ErrorDetails({
  error: { location, stack, issues },
}: {
  readonly error: FailureErrorView
}) {
  return (
    <>
      {location !== null && <CodeFrameView location={location} />}
      {issues.map((issue, index) => (
        <FindingView
          key={index}
          path={issue.path || 'payload'}
          rule={ruleForIssue(issue.code)}
          message={issue.message}
          fix={issue.fix}
        />
      ))}
      {stack !== null && (
        <details>
          <summary>Stack</summary>
          <CodeBlock label="Stack">{stack}</CodeBlock>
        </details>
      )}
    </>
  )
}

/** Returns the rule that covers the code of a validation issue, or the code itself. */
function ruleForIssue(code: string): string {
  const rules = [...(ruleIndex.value?.values() ?? [])]
  return rules.find((rule) => coveredCodes(rule).includes(code))?.id ?? code
}

function coveredCodes(rule: RuleInfo): readonly string[] {
  const { covers = [] } = rule as { readonly covers?: readonly { readonly codes: string[] }[] }
  return covers.flatMap(({ codes }) => codes)
}
