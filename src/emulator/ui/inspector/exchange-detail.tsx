import { useEffect, useState } from 'preact/hooks'
import type { ExchangeView } from '../../protocol-exchanges.ts'
import { Empty } from '../parts/empty.tsx'
import { FAILURE_RULE, FailureList } from '../parts/failure-list.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { formatTime } from '../sidebar/format-time.ts'
import { loadExchange } from '../state/exchanges.ts'
import { routeHash } from '../state/request-as.ts'
import { scenarioName } from '../state/workspace.ts'
import { ConsoleLines } from '../console/console-lines.tsx'
import { DetailActions } from './detail-actions.tsx'
import { Diff } from './diff.tsx'
import { RequestPart, ResponsePart } from './exchange-parts.tsx'
import { formatBytes } from './format-bytes.ts'
import { milliseconds } from './format-duration.ts'
import { describeOutcome } from './outcome.ts'
import { Waterfall } from './waterfall.tsx'

/** All details of a request, starting with its response. */
export function ExchangeDetail({ id }: { readonly id: string }) {
  const [exchange, setExchange] = useState<ExchangeView | string | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadExchange(id).then((loaded) => {
      if (isCurrent) setExchange(loaded)
    })
    return () => {
      isCurrent = false
    }
  }, [id])
  if (exchange === null) return <Skeleton lines={8} label="Loading request" />
  if (typeof exchange === 'string') {
    return (
      <Empty icon="alert" heading="h2" title="Cannot load this request">
        <p>{exchange}</p>
      </Empty>
    )
  }
  const findings = exchange.findings.filter(
    ({ rule }) => exchange.failures.length === 0 || rule !== FAILURE_RULE,
  )
  return (
    <article class="detail">
      <DetailHead exchange={exchange} />
      {exchange.failures.length > 0 && (
        <section class="detail-part" aria-label="Failures">
          <h2>Failures</h2>
          <FailureList failures={exchange.failures} findings={exchange.findings} />
        </section>
      )}
      <Explanation exchange={exchange} />
      <ResponsePart exchange={exchange} />
      {findings.length > 0 && (
        <section class="detail-part" aria-label="Findings">
          <h2>Findings</h2>
          <FindingList findings={findings} />
        </section>
      )}
      <Waterfall exchange={exchange} />
      <Diff exchange={exchange} />
      <RequestPart exchange={exchange} />
      {exchange.console.length > 0 && (
        <section class="detail-part" aria-label="Console">
          <h2>Console</h2>
          <ConsoleLines entries={exchange.console} />
        </section>
      )}
    </article>
  )
}

function DetailHead({ exchange }: { readonly exchange: ExchangeView }) {
  const { text, tone } = describeOutcome(exchange.outcome)
  const { status, bytes, cache, traceId, issueId, scenario, presetId, replayOf } = exchange
  return (
    <header class="detail-head">
      <div class="detail-title">
        <h2 dir="auto">
          <code>{exchange.kind}</code> to {exchange.appName}
        </h2>
        <p class="detail-facts">
          <span class={`verdict tone-${tone}`}>{text}</span>
          {exchange.source !== 'emulator' && (
            <span class="count count-info">{exchange.source}</span>
          )}
          {exchange.injected !== null && (
            <span class="count count-warn" title="The emulator injected this fault.">
              injected: {exchange.injected.type}
            </span>
          )}
          <span>{status === null ? 'no response' : `HTTP ${status}`}</span>
          <span>{milliseconds(exchange.durationMs)}</span>
          {bytes !== null && <span>{formatBytes(bytes)}</span>}
          {cache !== null && <span>cache {cache}</span>}
          {traceId !== null && (
            <span>
              trace ID <code>{traceId}</code>
            </span>
          )}
          <time dateTime={exchange.at} title={exchange.at}>
            {formatTime(exchange.at)}
          </time>
          {issueId !== null && <a href={routeHash('issues', issueId)}>{issueId}</a>}
          {scenario !== null && <span>{scenarioName(scenario)}</span>}
          {presetId !== null && <span>preset {presetId}</span>}
          {presetId === null && exchange.hasCustomIds && <span>custom IDs</span>}
          {replayOf !== null && <a href={routeHash('inspector', replayOf)}>replay of {replayOf}</a>}
        </p>
        {tone === 'bad' && exchange.message !== '' && exchange.findings.length === 0 && (
          <p class="detail-message" dir="auto">
            {exchange.message} <span class="finding-fix">{exchange.fix}</span>
          </p>
        )}
      </div>
      <DetailActions exchange={exchange} />
    </header>
  )
}

function Explanation({ exchange: { explanation } }: { readonly exchange: ExchangeView }) {
  if (explanation === null) return null
  return (
    <section class="detail-part" aria-label="Explanation">
      <h2>Explanation</h2>
      <p>{explanation.saw}</p>
      <p>{explanation.why}</p>
    </section>
  )
}
