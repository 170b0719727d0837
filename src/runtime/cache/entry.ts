import type { CacheScope, EncodedContent } from '../internal/cache-types.ts'

/**
 * The version of the entry format. It is part of the name of every entry, so that
 * two versions never read each other's entries. Marks have no version, so that an
 * old process and a new one invalidate each other's entries.
 */
export const ENTRY_FORMAT = 3

const PREFIX = `sidecard/${ENTRY_FORMAT} `

/** Limits the work and the log lines that a tampered entry can cause. */
const MAX_LINE_LENGTH = 1_000

/** An entry of a cache. */
export interface Entry extends EncodedContent {
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
 */
export function serializeEntry(key: string, { json, ...line }: Entry): string {
  return `${PREFIX}${JSON.stringify({ key, ...line })}\n${json}`
}

/** Parses an entry. Returns `undefined` if it was not written for this key. */
export function parseEntry(text: unknown, key: string): Entry | undefined {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return undefined
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1 || lineEnd > MAX_LINE_LENGTH) return undefined
  try {
    const line: Line = JSON.parse(text.slice(PREFIX.length, lineEnd))
    const { startedAtMs, mark, componentCount } = line
    const isValid =
      line.key === key &&
      typeof startedAtMs === 'number' &&
      typeof mark === 'string' &&
      typeof componentCount === 'number'
    if (!isValid) return undefined
    return { startedAtMs, mark, componentCount, json: text.slice(lineEnd + 1) }
  } catch {
    return undefined
  }
}

/**
 * Returns whether `encode` writes exactly this content. Other JSON is not valid,
 * because JSON parsers differ on duplicate keys.
 */
export function isOwnContent(
  { json, componentCount }: EncodedContent,
  encode: (value: unknown) => EncodedContent,
  { actions }: CacheScope['app'],
): boolean {
  try {
    const encoded = encode((actions?.parse ?? JSON.parse)(json))
    return encoded.json === json && encoded.componentCount === componentCount
  } catch {
    return false
  }
}
