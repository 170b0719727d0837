import type { CacheScope, EncodedContent } from '../internal/cache-types.ts'

/**
 * The version of the entry format. It is part of the name of every entry, so that
 * two versions never read each other's entries. Marks have no version, so that an
 * old process and a new one invalidate each other's entries.
 */
export const ENTRY_FORMAT = 3

const PREFIX = `sidecard/${ENTRY_FORMAT} `

/** The time, the number of components and the mark, which follow the name of the entry. */
const REST = /(\d{1,16}) (\d{1,9}) ([^\n]{0,200})\n/y

/** An entry of a cache. */
export interface Entry extends EncodedContent {
  /** The time at which its load started. The content is at least as recent. */
  readonly startedAtMs: number
  /** The mark of its subject before its load started. The entry is valid until the mark changes. */
  readonly mark: string
}

/**
 * Serializes an entry: one line with its metadata, then the unmodified JSON. The
 * line has a prefix, because some stores parse values that look like JSON. It is not
 * JSON, because parsing it would be a twentieth of the cost of a hit.
 *
 * @param key the name of the entry in a store outside the process
 */
export function serializeEntry(key: string, entry: Entry): string {
  const { json, startedAtMs, componentCount, mark } = entry
  return `${PREFIX}${key} ${startedAtMs} ${componentCount} ${mark}\n${json}`
}

/** Parses an entry. Returns `undefined` if it was not written for this key. */
export function parseEntry(text: unknown, key: string): Entry | undefined {
  const start = `${PREFIX}${key} `
  if (typeof text !== 'string' || !text.startsWith(start)) return undefined
  REST.lastIndex = start.length
  const [line, startedAtMs, componentCount, mark = ''] = REST.exec(text) ?? []
  if (line === undefined) return undefined
  const [ms, count] = [Number(startedAtMs), Number(componentCount)]
  return { startedAtMs: ms, componentCount: count, mark, json: text.slice(REST.lastIndex) }
}

const MAX_VALID = 1_000
const MAX_VALID_LENGTH = 10_000

/** The newest content that was valid, by app and name. Validating it is a third of the cost of a hit. */
const valid = new WeakMap<CacheScope['app'], Map<string, EncodedContent>>()

/**
 * Returns whether `encode` writes exactly this content. Other JSON is not valid,
 * because JSON parsers differ on duplicate keys. Content that does not change is
 * validated once.
 */
export function isOwnContent(
  name: string,
  { json, componentCount }: EncodedContent,
  encode: (value: unknown) => EncodedContent,
  app: CacheScope['app'],
): boolean {
  const contents = valid.get(app) ?? new Map<string, EncodedContent>()
  valid.set(app, contents)
  const known = contents.get(name)
  if (known?.json === json && known.componentCount === componentCount) return true
  try {
    const encoded = encode((app.actions?.parse ?? JSON.parse)(json))
    if (encoded.json !== json || encoded.componentCount !== componentCount) return false
    if (contents.size >= MAX_VALID) contents.clear()
    if (json.length <= MAX_VALID_LENGTH) contents.set(name, encoded)
    return true
  } catch {
    return false
  }
}
