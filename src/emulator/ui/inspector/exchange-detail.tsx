import { useEffect, useState } from 'preact/hooks'
import type { ExchangeView } from '../../protocol.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { announce } from '../state/announce.ts'
import { loadExchange, replayExchange } from '../state/exchanges.ts'
import { go, hashOf } from '../state/route.ts'
import { clockTime } from '../sidebar/clock-time.ts'
import { milliseconds } from './exchange-list.tsx'
import { isGood, outcomeWords } from './outcome.ts'
import { RequestPart, ResponsePart } from './exchange-parts.tsx'

/** One request with its answer. */
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
  if (exchange === null) return <Skeleton lines={8} label="Loading the request" />
  if (typeof exchange === 'string') {
    return (
      <Empty icon="alert" heading="h2" title="This request cannot be shown">
        <p>{exchange}</p>
      </Empty>
    )
  }
  return (
    <article class="detail">
      <DetailHead exchange={exchange} />
      {exchange.findings.length > 0 && (
        <section class="detail-part" aria-label="Findings">
          <h2>Findings</h2>
          <FindingList findings={exchange.findings} />
        </section>
      )}
      <RequestPart exchange={exchange} />
      <ResponsePart exchange={exchange} />
    </article>
  )
}

function DetailHead({ exchange }: { readonly exchange: ExchangeView }) {
  const good = isGood(exchange)
  return (
    <header class="detail-head">
      <div class="detail-title">
        <h2 dir="auto">
          <code>{exchange.kind}</code> to {exchange.appName}
        </h2>
        <p class="detail-facts">
          <span class={good ? 'verdict verdict-good' : 'verdict verdict-bad'}>
            {outcomeWords(exchange.outcome)}
          </span>
          <span>{exchange.status === null ? 'no answer' : `HTTP ${exchange.status}`}</span>
          <span>{milliseconds(exchange.durationMs)}</span>
          <time dateTime={exchange.at} title={exchange.at}>
            {clockTime(exchange.at)}
          </time>
          {exchange.issueId !== null && (
            <a href={hashOf('issues', exchange.issueId)}>{exchange.issueId}</a>
          )}
          {exchange.scenario !== null && <span>{exchange.scenario}</span>}
          {exchange.replayOf !== null && (
            <a href={hashOf('inspector', exchange.replayOf)}>a replay of {exchange.replayOf}</a>
          )}
        </p>
        {!good && exchange.message !== '' && exchange.findings.length === 0 && (
          <p class="detail-message" dir="auto">
            {exchange.message} <span class="finding-fix">{exchange.remedy}</span>
          </p>
        )}
      </div>
      <div class="detail-actions">
        <CopyButton text={exchange.curl} what="cURL command" label="Copy as cURL" />
        {exchange.kind === 'fetch_data' && exchange.response !== null && (
          <a class="button button-small" href={hashOf('playground', exchange.id)}>
            <Icon name="code" />
            Open in playground
          </a>
        )}
        <Replay id={exchange.id} />
      </div>
    </header>
  )
}

function Replay({ id }: { readonly id: string }) {
  const [isBusy, setBusy] = useState(false)
  const replay = async () => {
    setBusy(true)
    const answer = await replayExchange(id)
    setBusy(false)
    if (typeof answer === 'string') announce(answer, 'bad')
    else {
      announce('Sent again')
      go(hashOf('inspector', answer.id))
    }
  }
  return (
    <button
      type="button"
      class="button button-small button-primary"
      disabled={isBusy}
      onClick={() => {
        void replay()
      }}
    >
      <Icon name="reload" />
      Replay
    </button>
  )
}
