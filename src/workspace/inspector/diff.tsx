import { CodeBlock } from '../parts/code-block.tsx'
import { useEffect, useState } from 'preact/hooks'
import type { ExchangeSummary, ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import { formatTime } from '../core/format-time.ts'
import { describeOutcome } from '../core/outcome.ts'
import { prettyJson } from '../core/pretty-json.ts'
import { scenarioName } from '../core/workspace.ts'
import { FormError, Select } from '../parts/field.tsx'
import { diffLines } from './diff-lines.ts'
import type { DiffLine } from './diff-lines.ts'
import { exchanges, loadExchange } from './exchanges.ts'
import layoutStyle from '../parts/layout.module.css'
import inspectorStyle from './inspector.module.css'

const MAX_CHOICES = 50
const CONTEXT = 3

interface DiffProps {
  readonly exchange: ExchangeView
  /** The request to compare with. @default the last good render, after a failure */
  readonly otherId?: string | undefined
}

/** Compares the response with that of another request of the same widget. */
export function Diff({ exchange, otherId: given }: DiffProps) {
  const [other, setOther] = useState<ExchangeView | string | null>(null)
  const candidates = findCandidates(exchange)
  const lastGood = candidates.find(({ outcome, at }) => outcome === 'rendered' && at <= exchange.at)
  // After a failure, the difference to the last good render is what matters.
  const isFailed = describeOutcome(exchange.outcome).tone === 'bad'
  const [otherId, setOtherId] = useState(given ?? (isFailed ? lastGood?.id : undefined) ?? '')
  useEffect(() => {
    let isCurrent = true
    setOther(null)
    if (otherId !== '') {
      void loadExchange(otherId).then((loaded) => {
        if (isCurrent) setOther(loaded)
      })
    }
    return () => {
      isCurrent = false
    }
  }, [otherId])
  if (exchange.response === null || candidates.length === 0) {
    return <p class="muted">There is no other response of this widget to compare with.</p>
  }
  return (
    <section class={layoutStyle['detail-part']} aria-label="Compare">
      <div class={layoutStyle['part-head']}>
        <h2>Compare</h2>
        <Select
          small
          aria-label="Compare with"
          value={otherId}
          onChange={({ currentTarget }) => setOtherId(currentTarget.value)}
        >
          <option value="">Compare with…</option>
          {lastGood !== undefined && (
            <option value={lastGood.id}>Last successful render, {formatTime(lastGood.at)}</option>
          )}
          {candidates
            .filter(({ id }) => id !== lastGood?.id)
            .slice(0, MAX_CHOICES)
            .map(({ id, at, outcome, scenario }) => (
              <option key={id} value={id}>
                {[
                  formatTime(at),
                  describeOutcome(outcome).text,
                  ...(scenario === null ? [] : [scenarioName(scenario)]),
                ].join(', ')}
              </option>
            ))}
        </Select>
      </div>
      <FormError text={typeof other === 'string' ? other : null} />
      {other !== null && typeof other === 'object' && (
        <Lines
          lines={diffLines(
            normalizeActionLinks(prettyJson(other.response?.body ?? '')),
            normalizeActionLinks(prettyJson(exchange.response.body)),
          )}
        />
      )}
    </section>
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

const MARKS = { same: ' ', added: '+', removed: '-' } satisfies Record<DiffLine['kind'], string>

function Lines({ lines }: { readonly lines: readonly DiffLine[] | null }) {
  if (lines === null) return <p class="muted">These responses are too large to compare.</p>
  if (lines.every(({ kind }) => kind === 'same')) return <p class="muted">The bodies are equal.</p>
  return (
    <CodeBlock label="Differences between the bodies">
      {withContext(lines).map((line, index) =>
        line === null ? (
          <span key={index} class={inspectorStyle['diff-gap']}>
            …{'\n'}
          </span>
        ) : (
          <span key={index} class={inspectorStyle[`diff-${line.kind}`]}>
            {MARKS[line.kind]} {line.text}
            {'\n'}
          </span>
        ),
      )}
    </CodeBlock>
  )
}

/** Returns changed lines with a few lines around them. `null` marks a gap. */
function withContext(lines: readonly DiffLine[]): readonly (DiffLine | null)[] {
  const shown = new Set<number>()
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    for (let near = index - CONTEXT; near <= index + CONTEXT; near += 1) shown.add(near)
  }
  return lines.flatMap((line, index) => {
    if (shown.has(index)) return [line]
    return shown.has(index - 1) || index === 0 ? [null] : []
  })
}
