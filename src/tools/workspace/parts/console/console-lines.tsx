import { formatTime } from '../../core/format.ts'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ConsoleEntry } from '../../../emulator/protocol/exchanges.ts'
import { exchanges } from '../../state/exchanges.ts'
import { routeHash } from '../../state/request-as.ts'
import { parseLine } from './parse-line.ts'
import { stripAnsi } from './strip-ansi.ts'
import { classes } from '../../core/classes.ts'
import style from './console.module.css'

interface ConsoleLinesProps {
  readonly entries: readonly ConsoleEntry[]
  /** Whether the list follows the newest line, unless it is scrolled up. @default false */
  readonly isFollowing?: boolean
}

const NEAR_END = 40

const LEVELS: Readonly<Record<string, string>> = { warn: 'tone-warn', error: 'tone-bad' }

/** Lines of the console. A line with a trace ID links to its request. */
export function ConsoleLines({ entries, isFollowing = false }: ConsoleLinesProps) {
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(isFollowing)
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [entries])
  return (
    <ol
      ref={list}
      class={classes(style.lines, isFollowing && style.log)}
      dir="ltr"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
      tabIndex={0}
      aria-label="Console lines"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = isFollowing && scrollHeight - scrollTop - clientHeight < NEAR_END
      }}
    >
      {entries.map((entry) => (
        <li key={entry.id} class={classes(style.line, style[entry.stream])}>
          <time class="muted" dateTime={entry.at}>
            {formatTime(entry.at)}
          </time>
          <LineText text={stripAnsi(entry.text)} />
          <TraceLink traceId={entry.traceId} />
        </li>
      ))}
    </ol>
  )
}

/** A JSON line as its level, message and fields; the whole line opens below it. */
function LineText({ text }: { readonly text: string }) {
  const line = parseLine(text)
  if (line === null) return <span class={style.text}>{text}</span>
  return (
    <details class={style.text}>
      <summary>
        {line.level !== null && <b class={LEVELS[line.level]}>{line.level} </b>}
        {line.message}
        {line.fields.map(([name, value]) => (
          <span key={name} class="muted">
            {` ${name}=${value}`}
          </span>
        ))}
      </summary>
      {text}
    </details>
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
