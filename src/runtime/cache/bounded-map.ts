/** The maximum size of a character in a JavaScript string. */
const BYTES_PER_CHARACTER = 2

/** The map slot and the headers of the objects, as measured on Node 24, rounded up. */
const BYTES_PER_ENTRY = 300

/**
 * Strings by key, up to a number of entries and bytes. The least recently used
 * ones are dropped first. A value that exceeds the bytes is not kept.
 */
export class BoundedMap {
  /** The entries in the order of use, least recently used first. */
  readonly #slots = new Map<string, readonly [key: string, value: string]>()
  readonly #maxEntries: number
  readonly #maxBytes: number
  #usedBytes = 0

  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
  }

  get(key: string): string | undefined {
    const slot = this.#slots.get(key)
    if (slot === undefined) return undefined
    const [ownKey, value] = slot
    this.#slots.delete(key)
    // The caller's key is not stored, because it can be a slice of a much larger string.
    this.#slots.set(ownKey, slot)
    return value
  }

  /** Returns a value without counting it as a use, which is faster. */
  peek(key: string): string | undefined {
    return this.#slots.get(key)?.[1]
  }

  set(key: string, value: string): void {
    this.delete(key)
    const bytes = measure(key, value)
    if (bytes > this.#maxBytes) return
    const ownKey = flatString(key)
    this.#slots.set(ownKey, [ownKey, flatString(value)])
    this.#usedBytes += bytes
    for (const oldest of this.#slots.keys()) {
      if (this.#slots.size <= this.#maxEntries && this.#usedBytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#slots.delete(key)
    this.#usedBytes -= measure(...slot)
  }
}

function measure(key: string, value: string): number {
  return (key.length + value.length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
}

/**
 * Copies a string into its own memory. A sliced or concatenated string can keep a
 * much larger string in memory than its length shows.
 */
function flatString(text: string): string {
  // UTF-8 cannot encode an unpaired surrogate. JSON can, and parsing it also creates a new string.
  return text.isWellFormed()
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
    : JSON.parse(JSON.stringify(text))
}
