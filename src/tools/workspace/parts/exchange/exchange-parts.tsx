import { ConsoleLines } from '../console/console-lines.tsx'
import { classes } from '../../core/classes.ts'
import { Section } from '../section.tsx'
import { FAILURE_RULE } from '../failure/failure-list.tsx'
import { FindingList } from '../findings/finding-list.tsx'
import type { ComponentChildren } from 'preact'
import type { ExchangeView } from '../../../emulator/protocol/exchanges.ts'
import { JsonCode } from '../code/json-code.tsx'
import { CopyButton } from '../forms/copy-button.tsx'
import findingsStyle from '../findings/findings.module.css'
import layoutStyle from '../layout.module.css'
import inspectorStyle from './inspector.module.css'

interface PartProps {
  readonly exchange: ExchangeView
}

/** The sent request. */
export function RequestPart({ exchange: { request } }: PartProps) {
  return (
    <Section title="Request">
      <p class={inspectorStyle['request-line']}>
        <span class={classes(inspectorStyle.method, 'gray')}>{request.method}</span>
        <code dir="ltr">{request.url}</code>
      </p>
      <Table
        caption="Query parameters"
        rows={request.parameters.map(([name, value]) => [name, value || muted('empty')])}
      />
      <Table
        caption="Custom headers"
        rows={request.headerNames.map((name) => [name, muted('hidden')])}
      />
    </Section>
  )
}

/** The received response, starting with its body. */
export function ResponsePart({ exchange: { response, message, fix } }: PartProps) {
  if (response === null) {
    return (
      <Section title="Response">
        <p dir="auto">{message === '' ? 'No response.' : message}</p>
        <p class={findingsStyle['finding-fix']}>{fix}</p>
      </Section>
    )
  }
  const { status, statusText, headers, body, bodyBytes, truncated } = response
  const color = status === 200 ? 'green' : 'red'
  return (
    <Section title="Response">
      <p class={inspectorStyle['request-line']}>
        <span class={classes(inspectorStyle.method, color)}>{status}</span>
        <span>{statusText}</span>
      </p>
      <div class={layoutStyle['body-head']}>
        <h3>Body</h3>
        <span class="muted">
          {bodyBytes.toLocaleString('en')} bytes{truncated && ' (first 256 KiB shown)'}
        </span>
        {body !== '' && <CopyButton text={body} label="body" />}
      </div>
      {body === '' ? <p class="muted">empty</p> : <JsonCode label="Response body" text={body} />}
      <Table
        caption="Headers"
        rows={Object.entries(headers).map(([name, value]) => [
          name,
          name === 'x-sidecard-error' ? muted('decoded under Failures') : value,
        ])}
      />
    </Section>
  )
}

/** The findings of the response, except for failures, which are shown with their errors. */
export function DetailFindings({ exchange: { findings, failures } }: PartProps) {
  const shown = findings.filter(({ rule }) => failures.length === 0 || rule !== FAILURE_RULE)
  if (shown.length === 0) return null
  return (
    <Section title="Findings">
      <FindingList findings={shown} />
    </Section>
  )
}

/** The lines that the command wrote for the request. */
export function ConsolePart({ exchange }: PartProps) {
  if (exchange.console.length === 0) return null
  return (
    <Section title="Console">
      <ConsoleLines entries={exchange.console} />
    </Section>
  )
}

function muted(text: string) {
  return <span class="muted">{text}</span>
}

interface TableProps {
  readonly caption: string
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]
}

function Table({ caption, rows }: TableProps) {
  if (rows.length === 0) return null
  return (
    <table class={inspectorStyle.facts}>
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([name, value], index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            <td dir="auto">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
