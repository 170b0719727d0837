import type { FailureErrorView, FailureView } from '../../protocol-exchanges.ts'
import type { Finding, RuleInfo } from '../../../service/rules/rule.ts'
import { ruleIndex } from '../state/rules.ts'
import { RuleId } from './rule-id.tsx'

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
  if (failures.length === 0) return null
  return (
    <ul class="failures">
      {failures.map((failure, index) => (
        <li key={index} class="failure">
          <Failure
            failure={failure}
            fix={findings.filter(({ rule }) => rule === FAILURE_RULE)[index]?.fix}
          />
        </li>
      ))}
    </ul>
  )
}

interface FailureProps {
  readonly failure: FailureView
  readonly fix: string | undefined
}

function Failure({ failure, fix }: FailureProps) {
  const { kind, section, stale, traceId, component, error } = failure
  const place = component === null ? null : `components[${component}]`
  return (
    <>
      <p class="failure-head">
        <strong>{KINDS[kind]}</strong>
        <code class="failure-kind">{kind}</code>
        <RuleId id={FAILURE_RULE} />
        {stale && <span class="count count-warn">stale content shown</span>}
      </p>
      <dl class="failure-facts">
        {section !== null && <Fact name="Section" value={section} />}
        {place !== null && <Fact name="Replaced" value={place} />}
        {traceId !== null && <Fact name="Trace ID" value={traceId} />}
      </dl>
      {error === null ? (
        <p class="hint">
          The endpoint did not send the error. Run it with SIDECARD_DEV=1 to see it here.
        </p>
      ) : (
        <ErrorDetails error={error} />
      )}
      {/* The error says more than the fix, which would repeat its first issue. */}
      {error === null && fix !== undefined && <p class="finding-fix">{fix}</p>}
    </>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  )
}

function ErrorDetails({ error }: { readonly error: FailureErrorView }) {
  const { name, message, location, stack, issues } = error
  return (
    <>
      <p class="finding-message" dir="auto">
        <code>{name}</code>: {message}
      </p>
      {location !== null && (
        <p class="failure-place">
          <code>
            {location.file}:{location.line}:{location.column}
          </code>
        </p>
      )}
      {issues.map((issue, index) => (
        <div key={index} class="finding finding-MUST">
          <div class="finding-head">
            <code class="finding-path">{issue.path || 'payload'}</code>
            <RuleId id={ruleForIssue(issue.code)} />
          </div>
          <p class="finding-message" dir="auto">
            {issue.message}
          </p>
          <p class="finding-fix">{issue.fix}</p>
        </div>
      ))}
      {stack !== null && (
        <details>
          <summary>Stack</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
          <pre class="code-block" dir="ltr" tabIndex={0} aria-label="Stack">
            {stack}
          </pre>
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
