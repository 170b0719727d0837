import { milliseconds, formatTime, plural } from '../core/format.ts'
import { Origin } from '../parts/exchange/origin.tsx'
import { Count } from '../parts/count.tsx'
import type { ExchangeGroup, ExchangeSummary } from '../../emulator/protocol/exchanges.ts'
import { computed } from '@preact/signals'
import { exchanges } from '../state/exchanges.ts'
import { describeOutcome } from '../core/outcome.ts'
import { titleOf } from '../core/name-request.ts'
import { routeHash } from '../state/request-as.ts'
import { Dot } from '../parts/dot.tsx'
import { ListLink } from '../parts/list.tsx'
import listStyle from '../parts/list.module.css'
import style from '../parts/exchange/inspector.module.css'

interface ExchangeListProps {
  readonly exchanges: readonly ExchangeSummary[]
  readonly openId: string | null
}

/** Whether there are several apps. With only one, its name would be the same in every row. */
const hasSeveralApps = computed(
  () => new Set(exchanges.value?.map(({ appName }) => appName)).size > 1,
)

const GROUP_NAMES = {
  open: 'Issue opened',
  save: 'Source changed',
  states: 'All states',
} satisfies Record<ExchangeGroup['kind'], string>

/** The list of requests to the apps, newest first. Requests of one group share a heading. */
export function ExchangeList({ exchanges: shown, openId }: ExchangeListProps) {
  return (
    <div class={listStyle.items}>
      {toGroups(shown).map((group) => (
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
  const failed = members.filter((each) => describeOutcome(each).tone === 'bad').length
  return (
    <details class={style['exchange-group']} open={members.length <= MAX_OPEN || hasOpen}>
      <summary class={style['exchange-group-name']}>
        {GROUP_NAMES[group.kind]} <Count>{members.length}</Count>{' '}
        {failed > 0 && <Count tone="bad">{failed} failed</Count>}
      </summary>
      {list}
    </details>
  )
}

/** Groups adjacent requests. Requests of other groups may have occurred between them. */
function toGroups(summaries: readonly ExchangeSummary[]): readonly Group[] {
  const groups: Group[] = []
  for (const exchange of summaries) {
    const last = groups.at(-1)
    if (last?.group && last.group.id === exchange.group?.id) last.members.push(exchange)
    else groups.push({ group: exchange.group, members: [exchange] })
  }
  return groups
}

interface ItemProps {
  readonly exchange: ExchangeSummary
  readonly isOpen: boolean
}

function Item({ exchange, isOpen }: ItemProps) {
  const { text, tone } = describeOutcome(exchange)
  const app = hasSeveralApps.value && exchange.appName
  const about = [app, exchange.issueId, exchange.action?.agent].filter(Boolean).join(' · ')
  const warnings = exchange.findings.SHOULD + exchange.findings.ASSUMED
  return (
    <ListLink href={routeHash('inspector', exchange.id)} isOpen={isOpen}>
      <span class="row">
        <Dot tone={tone} />
        <b class="grow ellipsis" dir="auto">
          {titleOf(exchange)}
        </b>
        <span class={style.time}>{formatTime(exchange.at)}</span>
      </span>
      <span class={listStyle.facts}>
        <span class={tone === 'bad' ? 'tone-bad' : ''}>{text}</span>
        {about !== '' && (
          <span class="ellipsis" dir="auto">
            {about}
          </span>
        )}
        <Origin exchange={exchange} />
        {exchange.findings.MUST > 0 && (
          <Count tone="bad">{plural(exchange.findings.MUST, 'problem')}</Count>
        )}
        {warnings > 0 && <Count>{plural(warnings, 'warning')}</Count>}
        <span class={style.time}>
          {exchange.status ?? '—'} · {milliseconds(exchange.durationMs)}
        </span>
      </span>
    </ListLink>
  )
}
