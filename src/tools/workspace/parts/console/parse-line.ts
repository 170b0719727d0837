/** The parts of a line that is a JSON object, as loggers write it. */
export interface LogLine {
  /** The level, such as `warn`; null if there is none. */
  readonly level: string | null
  readonly message: string
  /** The other fields with plain values. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const SHOWN_ELSEWHERE = new Set(['level', 'msg', 'message', 'time', 'timestamp', 'traceId'])

/** Parses a line that is a JSON object with a message; null for any other. */
export function parseLine(text: string): LogLine | null {
  if (!text.startsWith('{')) return null
  let value: Readonly<Record<string, unknown>>
  try {
    value = JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return null
  }
  const message = value['msg'] ?? value['message']
  if (typeof message !== 'string') return null
  const fields = Object.entries(value).flatMap(([name, each]) =>
    SHOWN_ELSEWHERE.has(name) || each === null || typeof each === 'object'
      ? []
      : [[name, typeof each === 'string' ? each : JSON.stringify(each)] as const],
  )
  return { level: typeof value['level'] === 'string' ? value['level'] : null, message, fields }
}
