import { capitalize } from '../../internal/capitalize.ts'
import { formatTime } from '../core/format.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { CodeBlock } from '../parts/code/code-block.tsx'
import { FindingList } from '../parts/findings/finding-list.tsx'
import findingsStyle from '../parts/findings/findings.module.css'
import { routeHash } from '../state/request-as.ts'
import { LastGood } from '../parts/widget/last-good.tsx'
import { CodeFrameView } from '../parts/failure/code-frame.tsx'
import { type PrintedError, problem } from '../state/diagnostics.ts'
import style from '../parts/failure/diagnostics.module.css'
import { ErrorMessage } from '../parts/failure/error-message.tsx'
import { FAILURE_RULE, FailureList } from '../parts/failure/failure-list.tsx'

/** The error of the selected widget, with its location and its fix. */
export function ErrorTab() {
  const current = problem.value
  if (current === null) return <p class="muted">No error.</p>
  const { source } = current
  switch (source.kind) {
    case 'command':
      return <OutputError printed={source.printed} text={current.text} />
    case 'handshake':
      return <HandshakeError app={source.app} />
    case 'widget':
      return <WidgetError view={source.view} printed={source.printed} text={current.text} />
    default:
      return source satisfies never
  }
}

interface OutputErrorProps {
  readonly printed: PrintedError
  readonly text: string
}

/** An error that the command printed. */
function OutputError({ printed: { message, location, excerpt }, text }: OutputErrorProps) {
  return (
    <div class="stack">
      <ErrorMessage text={text} details={excerpt} role="alert" />
      {location !== null && <CodeFrameView location={location} />}
      {excerpt !== '' && <CodeBlock label="Output of the command">{excerpt}</CodeBlock>}
      {capitalize(message) !== text && <p class="hint">{capitalize(message)}</p>}
    </div>
  )
}

function HandshakeError({ app }: { readonly app: AppView }) {
  if (app.lastHandshake?.result.ok !== false) return null
  const { exchangeId, result } = app.lastHandshake
  const { message, fix, explanation, injected } = result
  return (
    <div class="stack">
      <p class={style.message} dir="auto">
        {capitalize(message)}
        {injected !== null && ' (fault injected by the emulator)'}
      </p>
      <p class={findingsStyle['finding-fix']}>{fix}</p>
      <p>{explanation.saw}</p>
      <p>{explanation.why}</p>
      <p>
        <a href={routeHash('inspector', exchangeId)}>Open in Requests</a>
      </p>
    </div>
  )
}

const MAX_FINDINGS = 3

interface WidgetErrorProps {
  readonly view: WidgetView
  readonly printed: PrintedError | undefined
  readonly text: string
}

function WidgetError({ view, printed, text }: WidgetErrorProps) {
  const { failures, message, fix, lastGood } = view
  const findings = view.findings.filter(
    ({ level, rule }) => level === 'MUST' && (failures.length === 0 || rule !== FAILURE_RULE),
  )
  const isExplained = findings.length > 0 || failures.some(({ error }) => error !== null)
  return (
    <div class={style.columns}>
      {printed !== undefined ? (
        <OutputError printed={printed} text={text} />
      ) : (
        <div class="stack">
          <FailureList failures={failures} findings={view.findings} />
          {failures.length === 0 && findings.length === 0 && (
            <p class={style.message} dir="auto">
              {capitalize(message)}
            </p>
          )}
          {!isExplained && <p class={findingsStyle['finding-fix']}>{fix}</p>}
          <FindingList findings={findings.slice(0, MAX_FINDINGS)} />
          {findings.length > MAX_FINDINGS && (
            <p class="hint">{findings.length - MAX_FINDINGS} more on the tab Request.</p>
          )}
        </div>
      )}
      {lastGood !== null && (
        <LastGood
          payload={lastGood.payload}
          label={`Last successful render, ${formatTime(lastGood.at)}`}
        />
      )}
    </div>
  )
}
