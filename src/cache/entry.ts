import type { CacheScope } from '../internal/cache-types.ts'

/**
 * The version of the entry format. It is part of every key, so that two versions
 * never read each other's entries.
 */
export const ENTRY_FORMAT = 1

const PREFIX = `sidecard/${ENTRY_FORMAT} `

/** Bounds the work that a tampered entry causes, and the texts that it brings into the log. */
const MAX_LINE_LENGTH = 65_536

/** An entry of a cache. */
export interface Entry {
  readonly storedAtMs: number
  readonly json: string
  /** Other values that were stored with the JSON. They are not validated. */
  readonly details: Readonly<Record<string, unknown>>
}

type Line = Readonly<Partial<Record<'key' | 'storedAtMs' | 'details', unknown>>>

/**
 * Serializes an entry: one line with its metadata, then the unmodified JSON. The
 * line has a prefix, because some stores parse values that look like JSON.
 *
 * @param key the name of the entry in a store outside the process
 * @throws {RangeError} if the line exceeds 64 Ki characters
 */
export function serializeEntry(
  key: string | undefined,
  { storedAtMs, json, details }: Entry,
): string {
  const line = PREFIX + JSON.stringify({ key, storedAtMs, details })
  if (line.length > MAX_LINE_LENGTH) throw new RangeError('The section titles are too long.')
  return `${line}\n${json}`
}

/** Parses an entry. Returns `undefined` if it was not written for this key. */
export function parseEntry(text: unknown, key: string | undefined): Entry | undefined {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return undefined
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1 || lineEnd > MAX_LINE_LENGTH) return undefined
  try {
    const line: Line | null = JSON.parse(text.slice(PREFIX.length, lineEnd))
    const { storedAtMs, details } = line ?? {}
    const isEntry = typeof storedAtMs === 'number' && typeof details === 'object' && details
    if (!isEntry || line?.key !== key) return undefined
    return { storedAtMs, json: text.slice(lineEnd + 1), details: details as Entry['details'] }
  } catch {
    return undefined
  }
}

/**
 * Returns whether `encode` writes the same JSON, and does not throw. JSON parsers
 * differ on duplicate keys, so other JSON is not valid.
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
