import type { ConsoleEntry } from '../../protocol-exchanges.ts'
import { formatTime } from '../sidebar/format-time.ts'
import { exchanges } from '../state/exchanges.ts'
import { routeHash } from '../state/request-as.ts'
import { stripAnsi } from './strip-ansi.ts'

/** Lines of the console. A line with a trace ID links to its request. */
export function ConsoleLines({ entries }: { readonly entries: readonly ConsoleEntry[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <ol class="console-lines" dir="ltr" tabIndex={0} aria-label="Console lines">
      {entries.map((entry) => (
        <li key={entry.id} class={`console-line console-${entry.stream}`}>
          <time dateTime={entry.at}>{formatTime(entry.at)}</time>
          <span class="console-text">{stripAnsi(entry.text)}</span>
          <TraceLink traceId={entry.traceId} />
        </li>
      ))}
    </ol>
  )
}

function TraceLink({ traceId }: { readonly traceId: string | null }) {
  if (traceId === null) return null
  const exchange = exchanges.value?.find((each) => each.traceId === traceId)
  if (exchange === undefined) return <code class="muted">{traceId}</code>
  return (
    <a
      href={routeHash('inspector', exchange.id)}
      aria-label={`Open the request with trace ID ${traceId}`}
    >
      <code>{traceId}</code>
    </a>
  )
}
