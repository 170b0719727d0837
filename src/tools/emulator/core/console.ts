import { createRedactor } from '../../../runtime/internal/create-redactor.ts'
import { oneOf, readOptions, required, string } from '../../../runtime/internal/read-options.ts'
import { secretsOf } from '../../service/endpoint/credentials.ts'
import type { EmulatorContext } from './context.ts'
import type { ConsoleEntry } from '../protocol/exchanges.ts'

/** Output of the dev server. */
export interface ConsoleOutput {
  readonly stream: 'stdout' | 'stderr'
  /** One or several lines. */
  readonly text: string
  readonly traceId?: string | undefined
}

const OUTPUT_KINDS = {
  stream: required(oneOf('stdout', 'stderr')),
  text: required(string),
  traceId: string,
}

/** The output of the user's dev server, joined to requests by trace ID. */
export interface EmulatorConsole extends ReturnType<typeof createConsole> {}

const MAX_ENTRIES = 2_000
const MAX_CHARACTERS = 16_384
const TRACE_ID = /\btraceId["']?\s*[:=]\s*["']?([\w-]{1,64})/

/**
 * Creates an empty console.
 *
 * @param isChecking returns whether requests of the checker cause the output
 * @param onLine called for each line after it is added
 */
export function createConsole(
  { now, store, events }: EmulatorContext,
  isChecking: () => boolean,
  onLine: (line: string, at: string) => void,
) {
  let entries: ConsoleEntry[] = []
  let nextId = 1
  return {
    /**
     * Adds output, one entry per line. Without `traceId`, the trace ID is read from
     * `"traceId"` or `traceId=` in the line.
     *
     * @throws {SidecardError} `invalid_options`
     */
    append(output: ConsoleOutput): void {
      const { stream, text, traceId } = readOptions('emulator.console.append', output, OUTPUT_KINDS)
      const at = new Date(now()).toISOString()
      const redact = createRedactor(store.all('app').flatMap(({ headers }) => secretsOf(headers)))
      const added = text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .slice(-MAX_ENTRIES)
        .map((line, index): ConsoleEntry => {
          const shown = redact(line)
          return {
            id: nextId + index,
            at,
            stream,
            text: shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown,
            isOfCheck: isChecking(),
            traceId: traceId ?? TRACE_ID.exec(line)?.[1] ?? null,
          }
        })
      nextId += added.length
      entries = [...entries, ...added].slice(-MAX_ENTRIES)
      events.emit({ type: 'console', entries: added })
      for (const line of added) onLine(line.text, at)
    },
    /** The newest 2,000 entries, oldest first. */
    list: (): readonly ConsoleEntry[] => entries,
    clear(): void {
      entries = []
      events.emit({ type: 'console_cleared' })
    },
  }
}
