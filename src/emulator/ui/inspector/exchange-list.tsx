import type { ExchangeSummary } from '../../protocol.ts'
import { hashOf } from '../state/route.ts'
import { clockTime } from '../sidebar/clock-time.ts'
import { isGood, outcomeWords } from './outcome.ts'

interface ExchangeListProps {
  readonly exchanges: readonly ExchangeSummary[]
  readonly openId: string | null
}

/** The requests that went to the apps, newest first. */
export function ExchangeList({ exchanges, openId }: ExchangeListProps) {
  return (
    <ul class="exchanges">
      {exchanges.map((exchange) => (
        <li key={exchange.id}>
          <a
            class="exchange-item"
            href={hashOf('inspector', exchange.id)}
            aria-current={exchange.id === openId ? 'page' : undefined}
          >
            <span class="exchange-line">
              <span class={`dot ${isGood(exchange) ? 'dot-good' : 'dot-bad'}`} />
              <span class="exchange-kind">{exchange.kind}</span>
              <span class="exchange-app" dir="auto">
                {exchange.appName}
              </span>
              <span class="exchange-time">{clockTime(exchange.at)}</span>
            </span>
            <span class="exchange-line exchange-facts">
              <span>{outcomeWords(exchange.outcome)}</span>
              {exchange.findings.MUST > 0 && (
                <span class="count count-bad">{exchange.findings.MUST} MUST</span>
              )}
              {exchange.findings.SHOULD + exchange.findings.ASSUMED > 0 && (
                <span class="count">
                  {exchange.findings.SHOULD + exchange.findings.ASSUMED} advice
                </span>
              )}
              <span class="exchange-time">
                {exchange.status ?? '—'} · {milliseconds(exchange.durationMs)}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** A duration as it reads best: whole milliseconds, or seconds from ten of them on. */
export function milliseconds(durationMs: number): string {
  return durationMs < 10_000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1000).toFixed(1)} s`
}
