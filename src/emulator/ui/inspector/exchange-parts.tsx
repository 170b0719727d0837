import type { ComponentChildren } from 'preact'
import type { ExchangeView } from '../../protocol.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { prettyJson } from './pretty-json.ts'

interface PartProps {
  readonly exchange: ExchangeView
}

/** Exactly what was sent. */
export function RequestPart({ exchange: { request } }: PartProps) {
  return (
    <section class="detail-part" aria-label="Request">
      <h2>Request</h2>
      <p class="request-line">
        <span class="method">{request.method}</span>
        <code dir="ltr">{request.url}</code>
      </p>
      <Table
        caption="Query parameters"
        rows={request.parameters.map(([name, value]) => [name, value === '' ? <Nothing /> : value])}
      />
      <Table
        caption="Custom headers"
        rows={request.headerNames.map((name) => [name, <span class="muted">not shown</span>])}
      />
    </section>
  )
}

/** Exactly what came back. */
export function ResponsePart({ exchange: { response, message, remedy } }: PartProps) {
  if (response === null) {
    return (
      <section class="detail-part" aria-label="Response">
        <h2>Response</h2>
        <p dir="auto">{message === '' ? 'No answer came.' : message}</p>
        <p class="finding-fix">{remedy}</p>
      </section>
    )
  }
  const { status, statusText, headers, body, bodyBytes, truncated } = response
  return (
    <section class="detail-part" aria-label="Response">
      <h2>Response</h2>
      <p class="request-line">
        <span class={status === 200 ? 'method status-good' : 'method status-bad'}>{status}</span>
        <span>{statusText}</span>
      </p>
      <Table caption="Headers" rows={Object.entries(headers)} />
      <div class="body-head">
        <h3>Body</h3>
        <span class="muted">
          {bodyBytes.toLocaleString('en')} bytes{truncated && ', the first 256 KiB are kept'}
        </span>
        {body !== '' && <CopyButton text={body} what="body" />}
      </div>
      {body === '' ? (
        <p class="muted">empty</p>
      ) : (
        <CodeBlock label="Body of the answer" code={prettyJson(body)} />
      )}
    </section>
  )
}

function Nothing() {
  return <span class="muted">empty</span>
}

interface TableProps {
  readonly caption: string
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[]
}

function Table({ caption, rows }: TableProps) {
  if (rows.length === 0) return null
  return (
    <table class="facts">
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
