import type { CacheScope } from '../internal/cache-types.ts'

/**
 * The version of the entry format. It is part of every key, so that two versions
 * never read each other's entries.
 */
export const ENTRY_FORMAT = 2

const PREFIX = `sidecard/${ENTRY_FORMAT} `

/** Limits the work and the log lines that a tampered entry can cause. */
const MAX_LINE_LENGTH = 65_536

/** The result of a load. */
export interface Content {
  readonly json: string
  /** Other values that were stored with the JSON. They are not validated. */
  readonly details: Readonly<Record<string, unknown>>
}

/** An entry of a cache. */
export interface Entry extends Content {
  /** The time at which its load started. The content is at least as recent. */
  readonly startedAtMs: number
  /** The mark of its subject before its load started. The entry is valid until the mark changes. */
  readonly mark: string
}

type Line = Readonly<Partial<Record<'key' | keyof Entry, unknown>>>

/**
 * Serializes an entry: one line with its metadata, then the unmodified JSON. The
 * line has a prefix, because some stores parse values that look like JSON.
 *
 * @param key the name of the entry in a store outside the process
 * @throws {RangeError} if the line exceeds 64 Ki characters
 */
export function serializeEntry(
  key: string | undefined,
  { startedAtMs, mark, json, details }: Entry,
): string {
  const line = PREFIX + JSON.stringify({ key, startedAtMs, mark, details })
  if (line.length > MAX_LINE_LENGTH) throw new RangeError('The section titles are too long.')
  return `${line}\n${json}`
}

/** Parses an entry. Returns `undefined` if it was not written for this key. */
export function parseEntry(text: unknown, key: string | undefined): Entry | undefined {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return undefined
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1 || lineEnd > MAX_LINE_LENGTH) return undefined
  try {
    const line: Line = JSON.parse(text.slice(PREFIX.length, lineEnd))
    const { startedAtMs, mark, details } = line
    if (line.key !== key || typeof startedAtMs !== 'number' || typeof mark !== 'string') {
      return undefined
    }
    if (typeof details !== 'object' || details === null) return undefined
    const json = text.slice(lineEnd + 1)
    return { startedAtMs, mark, json, details: details as Entry['details'] }
  } catch {
    return undefined
  }
}

/**
 * Returns whether `encode` writes exactly this JSON. Other JSON is not valid,
 * because JSON parsers differ on duplicate keys.
 */
export function isOwnJson(
  json: string,
  encode: (value: unknown) => string,
  { actions }: CacheScope['app'],
): boolean {
  try {
    return encode((actions?.parse ?? JSON.parse)(json)) === json
  } catch {
    return false
  }
}
