import { capitalize } from '../../internal/capitalize.ts'
import { formatTime } from '../core/format.ts'
import { listFacts } from '../core/list-facts.ts'
import { Origin } from '../parts/exchange/origin.tsx'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { describeOutcome } from '../core/outcome.ts'
import { nameRequest, titleOf } from '../core/name-request.ts'
import { Empty } from '../parts/empty.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { routeHash } from '../state/request-as.ts'
import { DetailActions } from './detail-actions.tsx'
import { ExchangeColumns } from '../parts/exchange/exchange-columns.tsx'
import { ConsolePart } from '../parts/exchange/exchange-parts.tsx'
import { useLoaded } from '../core/use-loaded.ts'
import { loadExchange } from '../state/exchanges.ts'
import findingsStyle from '../parts/findings/findings.module.css'
import layoutStyle from '../parts/layout.module.css'

/** All details of a request, starting with its response. */
export function ExchangeDetail({ id }: { readonly id: string }) {
  const exchange = useLoaded(id, loadExchange)
  if (exchange === null) return <Skeleton lines={8} label="Loading request" />
  if (typeof exchange === 'string') {
    return (
      <Empty icon="alert" heading="h2" title="Cannot load this request">
        <p>{exchange}</p>
      </Empty>
    )
  }
  return (
    <article class={layoutStyle.detail}>
      <DetailHead exchange={exchange} />
      {exchange.action !== null ? (
        <ConsolePart exchange={exchange} />
      ) : (
        <ExchangeColumns exchange={exchange} />
      )}
    </article>
  )
}

function DetailHead({ exchange }: { readonly exchange: ExchangeView }) {
  const { text, tone } = describeOutcome(exchange)
  const { issueId, replayOf, unapplied } = exchange
  const name = nameRequest(exchange)
  return (
    <header class={layoutStyle['detail-head']}>
      <div class={layoutStyle['detail-title']}>
        <h2 class="title" dir="auto">
          {exchange.action === null ? <code>{exchange.kind}</code> : titleOf(exchange)} to{' '}
          {exchange.appName}
        </h2>
        <p class={layoutStyle['detail-facts']}>
          <b class={`tone-${tone}`}>{text}</b>
          <Origin exchange={exchange} />
          {listFacts(exchange).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <time dateTime={exchange.at} title={exchange.at}>
            {formatTime(exchange.at)}
          </time>
          {issueId !== null && <a href={routeHash('issues', issueId)}>{issueId}</a>}
          {name !== '' && <span dir="auto">{name}</span>}
          {exchange.action !== null && (
            <span dir="auto">agent: {exchange.action.agent ?? 'nobody'}</span>
          )}
          {replayOf !== null && <a href={routeHash('inspector', replayOf)}>replay of {replayOf}</a>}
        </p>
        {unapplied !== null && <p class="tone-warn">{capitalize(unapplied)}</p>}
        {tone === 'bad' && exchange.message !== '' && exchange.findings.length === 0 && (
          <p dir="auto">
            {exchange.message} <span class={findingsStyle['finding-fix']}>{exchange.fix}</span>
          </p>
        )}
      </div>
      {exchange.action === null && <DetailActions exchange={exchange} />}
    </header>
  )
}
