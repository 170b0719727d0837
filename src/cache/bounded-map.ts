import { flatString } from './flat-string.ts'

/** The maximum size of a character in a JavaScript string. */
const BYTES_PER_CHARACTER = 2

/** The map slot and the headers of the objects, as measured on Node 24, rounded up. */
const BYTES_PER_ENTRY = 300

interface Slot {
  readonly key: string
  readonly value: string
}

/**
 * Strings by key, up to a number of entries and bytes. The least recently used
 * ones are dropped first. A value that exceeds the bytes is not kept.
 */
export class BoundedMap {
  /** In the order of their use, least recently used first. */
  readonly #slots = new Map<string, Slot>()
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
    this.#slots.delete(key)
    // With its own key: that of the caller can be a part of a much larger string.
    this.#slots.set(slot.key, slot)
    return slot.value
  }

  set(key: string, value: string): void {
    this.delete(key)
    const slot = { key: flatString(key), value: flatString(value) }
    const bytes = measure(slot)
    if (bytes > this.#maxBytes) return
    this.#slots.set(slot.key, slot)
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
    this.#usedBytes -= measure(slot)
  }
}

function measure({ key, value }: Slot): number {
  return (key.length + value.length) * BYTES_PER_CHARACTER + BYTES_PER_ENTRY
}
