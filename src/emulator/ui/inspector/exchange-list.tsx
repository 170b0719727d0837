import type { ExchangeGroup, ExchangeSummary } from '../../protocol-exchanges.ts'
import { formatTime } from '../sidebar/format-time.ts'
import { routeHash } from '../state/request-as.ts'
import { scenarioName } from '../state/workspace.ts'
import { milliseconds } from './format-duration.ts'
import { describeOutcome } from './outcome.ts'

interface ExchangeListProps {
  readonly exchanges: readonly ExchangeSummary[]
  readonly openId: string | null
}

const GROUP_NAMES = {
  open: 'Issue opened',
  save: 'Source changed',
  states: 'All states',
  parallel: 'Parallel loads',
} satisfies Record<ExchangeGroup['kind'], string>

/** The list of requests to the apps, newest first. Requests of one group share a heading. */
export function ExchangeList({ exchanges, openId }: ExchangeListProps) {
  return (
    <div class="exchanges">
      {toGroups(exchanges).map((group) => (
        <GroupView key={group.members[0]?.id} {...group} openId={openId} />
      ))}
    </div>
  )
}

interface Group {
  readonly group: ExchangeGroup | null
  readonly members: ExchangeSummary[]
}

const MAX_OPEN = 12

function GroupView({ group, members, openId }: Group & { readonly openId: string | null }) {
  const list = (
    <ul>
      {members.map((exchange) => (
        <li key={exchange.id}>
          <Item exchange={exchange} isOpen={exchange.id === openId} />
        </li>
      ))}
    </ul>
  )
  if (group === null || members.length === 1) return list
  const hasOpen = members.some(({ id }) => id === openId)
  const failed = members.filter(({ outcome }) => describeOutcome(outcome).tone === 'bad').length
  return (
    <details class="exchange-group" open={members.length <= MAX_OPEN || hasOpen}>
      <summary class="exchange-group-name">
        {GROUP_NAMES[group.kind]} <span class="count">{members.length}</span>
        {failed > 0 && <span class="count count-bad">{failed} failed</span>}
      </summary>
      {list}
    </details>
  )
}

/** Adjacent requests of one group. Requests of other groups may have occurred between them. */
function toGroups(exchanges: readonly ExchangeSummary[]): readonly Group[] {
  const groups: Group[] = []
  for (const exchange of exchanges) {
    const last = groups.at(-1)
    if (last?.group && last.group.id === exchange.group?.id) last.members.push(exchange)
    else groups.push({ group: exchange.group, members: [exchange] })
  }
  return groups
}

function Item({
  exchange,
  isOpen,
}: {
  readonly exchange: ExchangeSummary
  readonly isOpen: boolean
}) {
  const { text, tone } = describeOutcome(exchange.outcome)
  const warnings = exchange.findings.SHOULD + exchange.findings.ASSUMED
  return (
    <a
      class="exchange-item"
      href={routeHash('inspector', exchange.id)}
      aria-current={isOpen ? 'page' : undefined}
    >
      <span class="exchange-line">
        <span class={`dot dot-${tone}`} />
        <span class="exchange-kind">{exchange.kind}</span>
        <span class="exchange-app" dir="auto">
          {exchange.appName}
        </span>
        <span class="exchange-time">{formatTime(exchange.at)}</span>
      </span>
      <span class="exchange-line exchange-facts">
        <span class={tone === 'bad' ? 'tone-bad' : ''}>{text}</span>
        {exchange.source !== 'emulator' && <span class="count count-info">{exchange.source}</span>}
        {exchange.injected !== null && <span class="count count-warn">injected</span>}
        {exchange.scenario !== null && exchange.scenario !== 'as-is' && (
          <span class="count">{scenarioName(exchange.scenario)}</span>
        )}
        {exchange.findings.MUST > 0 && (
          <span class="count count-bad">{exchange.findings.MUST} MUST</span>
        )}
        {warnings > 0 && (
          <span class="count">
            {warnings} {warnings === 1 ? 'warning' : 'warnings'}
          </span>
        )}
        <span class="exchange-time">
          {exchange.status ?? '—'} · {milliseconds(exchange.durationMs)}
        </span>
      </span>
    </a>
  )
}
