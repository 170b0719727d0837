import { formatTime } from '../../core/format.ts'
import { CodeBlock } from '../code/code-block.tsx'
import { structuredPatch } from 'diff'
import { useState } from 'preact/hooks'
import type { ExchangeSummary, ExchangeView } from '../../../emulator/protocol/exchanges.ts'
import type { Payload } from '../../../../runtime/contract/generated/types.ts'
import { normalizeActionLinks } from '../../../internal/action-link.ts'
import { describeOutcome } from '../../core/outcome.ts'
import { comparablePayload } from '../../core/compare-payloads.ts'
import { isJson, prettyJson } from '../../core/pretty-json.ts'
import { useLoaded } from '../../core/use-loaded.ts'
import { nameRequest } from '../../core/name-request.ts'
import { FormError, Select } from '../forms/field.tsx'
import { exchanges, loadExchange } from '../../state/exchanges.ts'
import { Section } from '../section.tsx'
import { ComparedWidget } from '../widget/compared-widget.tsx'
import { PayloadView } from '../widget/payload-view.tsx'
import inspectorStyle from './inspector.module.css'

const MAX_CHOICES = 50
const MAX_MS = 2_000

interface DiffProps {
  readonly exchange: ExchangeView
  /** The request to compare with. @default the last good render, after a failure */
  readonly otherId?: string | undefined
}

/** Compares the response with that of another request of the same widget. */
export function Diff({ exchange, otherId: given }: DiffProps) {
  const candidates = findCandidates(exchange)
  const lastGood = candidates.find(({ outcome, at }) => outcome === 'rendered' && at <= exchange.at)
  // A replay is compared with its original, and a failure with the last good render.
  const isFailed = describeOutcome(exchange).tone === 'bad'
  const [otherId, setOtherId] = useState(
    given ?? exchange.replayOf ?? (isFailed ? lastGood?.id : undefined) ?? '',
  )
  const other = useLoaded(otherId || null, loadExchange)
  if (exchange.response === null || candidates.length === 0) {
    return (
      <Section title="Compare">
        <p class="muted">There is no other response of this widget to compare with.</p>
      </Section>
    )
  }
  return (
    <Section
      title="Compare"
      end={
        <Select
          small
          aria-label="Compare with"
          value={otherId}
          options={[['', 'Compare with…'], ...toOptions(candidates, lastGood)]}
          onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
        />
      }
    >
      <FormError text={typeof other === 'string' ? other : null} />
      {other !== null && typeof other === 'object' && (
        <>
          <Widgets exchange={exchange} other={other} />
          <Lines
            before={normalizeActionLinks(prettyJson(other.response?.body ?? ''))}
            after={normalizeActionLinks(prettyJson(exchange.response.body))}
          />
        </>
      )}
    </Section>
  )
}

function findCandidates(exchange: ExchangeView): readonly ExchangeSummary[] {
  return (exchanges.value ?? []).filter(
    ({ id, kind, appName, widgetId }) =>
      id !== exchange.id &&
      kind === exchange.kind &&
      appName === exchange.appName &&
      (exchange.widgetId === null || widgetId === null || widgetId === exchange.widgetId),
  )
}

/** Lists the requests to compare with, the last successful render first. */
function toOptions(candidates: readonly ExchangeSummary[], lastGood: ExchangeSummary | undefined) {
  const others = candidates.filter(({ id }) => id !== lastGood?.id).slice(0, MAX_CHOICES)
  return [...(lastGood === undefined ? [] : [lastGood]), ...others].map((exchange) => {
    const { id, at } = exchange
    const time = formatTime(at)
    if (exchange === lastGood) return [id, `Last successful render, ${time}`] as const
    const words = [nameRequest(exchange), describeOutcome(exchange).text, time]
    return [id, words.filter(Boolean).join(', ')] as const
  })
}

/** Both widgets as agents saw them, the other request first. */
function Widgets({
  exchange,
  other,
}: {
  readonly exchange: ExchangeView
  readonly other: ExchangeView
}) {
  const base = shownPayload(other)
  const sides = [
    { ...other, payload: base, base: null },
    { ...exchange, payload: shownPayload(exchange), base },
  ]
  if (exchange.kind !== 'fetch_data') return null
  return (
    <div class={inspectorStyle.widgets}>
      {sides.map(({ id, payload, base: compared, ...side }) => (
        <div key={id} class="stack">
          <p class="hint ellipsis" dir="auto">
            {[nameRequest(side), formatTime(side.at)].filter(Boolean).join(', ')}
          </p>
          <ComparedWidget name={side.appName} label={id} payload={payload} base={compared}>
            {payload === null ? (
              <p class="muted">{describeOutcome(side).text}</p>
            ) : (
              <PayloadView payload={payload} />
            )}
          </ComparedWidget>
        </div>
      ))}
    </div>
  )
}

/** The outcomes whose body is a valid payload. */
const SHOWN = new Set<string>(['rendered', 'failed', 'not_found', 'ambiguous', 'not_available'])

function shownPayload({ outcome, response, traceId }: ExchangeView): Payload | null {
  if (!SHOWN.has(outcome) || response?.truncated !== false || !isJson(response.body)) return null
  const body = JSON.parse(response.body) as Partial<Payload>
  // The response to a failure may not contain a payload.
  return Array.isArray(body.components) ? comparablePayload(body as Payload, traceId) : null
}

/** The changed lines with a few lines around them. */
function Lines({ before, after }: { readonly before: string; readonly after: string }) {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: MAX_MS })
  if (patch === undefined) return <p class="muted">These responses are too large to compare.</p>
  if (patch.hunks.length === 0) return <p class="muted">The bodies are equal.</p>
  return (
    <CodeBlock label="Differences between the bodies">
      {patch.hunks.flatMap(({ oldStart, lines }, hunk) => [
        (hunk > 0 || oldStart > 1) && <span class="muted">{'…\n'}</span>,
        ...lines
          .filter((line) => !line.startsWith('\\'))
          .map((line, index) => (
            <span key={`${hunk}.${index}`} class={inspectorStyle[KINDS[line[0] ?? ''] ?? '']}>
              {`${line.slice(0, 1)} ${line.slice(1)}\n`}
            </span>
          )),
      ])}
    </CodeBlock>
  )
}

const KINDS: Readonly<Record<string, string>> = { '+': 'diff-added', '-': 'diff-removed' }
