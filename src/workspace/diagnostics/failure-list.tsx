import { CodeBlock } from '../parts/code-block.tsx'
import type { FailureErrorView, FailureView } from '../../emulator/protocol/exchanges.ts'
import type { Finding, RuleInfo } from '../../service/rules/rule.ts'
import { ruleIndex } from '../core/rules.ts'
import { RuleId } from '../parts/rule-id.tsx'
import { classes } from '../core/classes.ts'
import findingsStyle from '../parts/findings.module.css'
import statusStyle from '../parts/status.module.css'
import diagnosticsStyle from './diagnostics.module.css'

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
    <ul class={diagnosticsStyle.failures}>
      {failures.map((failure, index) => (
        <li key={index} class={diagnosticsStyle.failure}>
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
      <p class={diagnosticsStyle['failure-head']}>
        <strong>{KINDS[kind]}</strong>
        <code class={diagnosticsStyle['failure-kind']}>{kind}</code>
        <RuleId id={FAILURE_RULE} />
        {stale && (
          <span class={classes(statusStyle.count, statusStyle['count-warn'])}>
            stale content shown
          </span>
        )}
      </p>
      <dl class={diagnosticsStyle['failure-facts']}>
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
      {error === null && fix !== undefined && <p class={findingsStyle['finding-fix']}>{fix}</p>}
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
      <p class={findingsStyle['finding-message']} dir="auto">
        <code>{name}</code>: {message}
      </p>
      {location !== null && (
        <p class={diagnosticsStyle['failure-place']}>
          <code>
            {location.file}:{location.line}:{location.column}
          </code>
        </p>
      )}
      {issues.map((issue, index) => (
        <div key={index} class={findingsStyle.finding}>
          <div class={findingsStyle['finding-head']}>
            <code class={findingsStyle['finding-path']}>{issue.path || 'payload'}</code>
            <RuleId id={ruleForIssue(issue.code)} />
          </div>
          <p class={findingsStyle['finding-message']} dir="auto">
            {issue.message}
          </p>
          <p class={findingsStyle['finding-fix']}>{issue.fix}</p>
        </div>
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
