import { milliseconds } from '../../core/format.ts'
import type { ExchangeView, TimingSpan } from '../../../emulator/protocol/exchanges.ts'
import { workspace } from '../../core/workspace.ts'
import { Section } from '../section.tsx'
import inspectorStyle from './inspector.module.css'

/** The spans of `Server-Timing` over time, with the timeout as a line. */
export function Waterfall({ exchange }: { readonly exchange: ExchangeView }) {
  const { timing, durationMs } = exchange
  if (timing.length === 0) return null
  const timeoutMs = workspace.value?.timeoutMs ?? 0
  const spans = [{ name: 'request', description: null, startMs: 0, durationMs }, ...timing]
  const ends = spans.map((span) => (span.startMs ?? 0) + (span.durationMs ?? 0))
  const longest = Math.max(1, ...ends)
  // The line of the timeout is only shown if the request came close to it.
  const showsTimeout = timeoutMs > 0 && longest > timeoutMs / 4
  const scale = showsTimeout ? Math.max(longest, timeoutMs * 1.05) : longest
  return (
    <Section
      title="Timing"
      end={
        timeoutMs > 0 && !showsTimeout && <span class="muted">timeout {timeoutMs / 1000} s</span>
      }
    >
      <div class={inspectorStyle.waterfall}>
        {spans.map((span, index) => (
          <Bar key={index} {...span} scale={scale} />
        ))}
        {showsTimeout && (
          <div class={inspectorStyle['waterfall-deadline']}>
            <span style={{ insetInlineStart: `${(timeoutMs / scale) * 100}%` }}>
              timeout {timeoutMs / 1000} s
            </span>
          </div>
        )}
      </div>
    </Section>
  )
}

function Bar({ name, description, startMs, durationMs, scale }: TimingSpan & { scale: number }) {
  const start = Math.min(100, ((startMs ?? 0) / scale) * 100)
  const width = Math.min(100 - start, ((durationMs ?? 0) / scale) * 100)
  return (
    <div class={inspectorStyle['waterfall-row']}>
      <span class="ellipsis" dir="auto" title={description ?? name}>
        {description ?? name}
      </span>
      <span class={inspectorStyle['waterfall-track']}>
        <span
          class={inspectorStyle['waterfall-bar']}
          style={{ insetInlineStart: `${start}%`, width: `max(2px, ${width}%)` }}
        />
      </span>
      <span class={inspectorStyle['waterfall-time']}>
        {durationMs === null ? '—' : milliseconds(durationMs)}
      </span>
    </div>
  )
}
