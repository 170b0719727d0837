/**
 * The version of the entry format. It is part of every key, so that two versions
 * never read each other's entries.
 */
export const ENTRY_FORMAT = 1

const PREFIX = `sidecard/${ENTRY_FORMAT} `

/** The tolerated difference between the clocks of two machines. */
const MAX_CLOCK_SKEW_MS = 5_000

/** An entry of a cache. */
export interface Entry {
  readonly storedAtMs: number
  readonly json: string
  /** Other values that were stored with the JSON. They are not validated. */
  readonly details: Readonly<Record<string, unknown>>
}

/**
 * Serializes an entry: one line with its metadata, then the unmodified JSON. The
 * line has a prefix, because some stores parse values that look like JSON.
 */
export function serializeEntry(key: string, { storedAtMs, json, details }: Entry): string {
  return `${PREFIX}${JSON.stringify({ key, storedAtMs, details })}\n${json}`
}

/**
 * Parses an entry. Returns `expired` if it is older than `lifeMs`, and `invalid`
 * if it was not written for this key.
 */
export function parseEntry(
  text: unknown,
  key: string,
  lifeMs: number,
): Entry | 'expired' | 'invalid' {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return 'invalid'
  const lineEnd = text.indexOf('\n')
  const line = parseObject(text.slice(PREFIX.length, lineEnd))
  const details = line?.details
  const storedAtMs = line?.storedAtMs
  if (lineEnd === -1 || line?.key !== key || !isObject(details)) return 'invalid'
  if (typeof storedAtMs !== 'number') return 'invalid'
  const ageMs = Date.now() - storedAtMs
  if (!(ageMs >= -MAX_CLOCK_SKEW_MS)) return 'invalid'
  if (ageMs > lifeMs) return 'expired'
  return { storedAtMs, json: text.slice(lineEnd + 1), details }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
