/**
 * How long a read may return an older mark after a write. KV caches a value for a
 * minute, and a read can take another minute.
 */
const SETTLING_MS = 120_000

/**
 * The maximum number of pending marks, which only a long outage reaches. The
 * oldest are dropped first.
 */
const MAX_MARKS = 10_000

interface OwnMark {
  readonly mark: string
  /** When the store took the mark; `undefined` if it has not. */
  readonly writtenAtMs: number | undefined
}

/**
 * The marks that this process created, until the store returns them. An
 * invalidation takes effect in this process immediately, whatever the store does.
 */
export class OwnMarks {
  readonly #marks = new Map<string, OwnMark>()

  /** The subjects whose marks the store does not have yet. */
  get pending(): readonly string[] {
    return [...this.#marks].flatMap(([subject, { writtenAtMs }]) =>
      writtenAtMs === undefined ? [subject] : [],
    )
  }

  /**
   * Creates a new mark for a subject, and returns it. Each attempt to write needs
   * its own mark, because the store may have saved an earlier one without a reply,
   * and another mark since.
   */
  renew(subject: string): string {
    const mark = crypto.randomUUID()
    this.#marks.delete(subject)
    this.#marks.set(subject, { mark, writtenAtMs: undefined })
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size <= MAX_MARKS) break
      this.#marks.delete(oldest)
    }
    return mark
  }

  /** Records that the store has a mark, unless there is a newer one. */
  settle(subject: string, mark: string): void {
    if (this.#marks.get(subject)?.mark !== mark) return
    this.#marks.set(subject, { mark, writtenAtMs: Date.now() })
  }

  /** Returns the mark to use, given the one that the store returned. */
  current(subject: string, seen: string): string {
    const own = this.#marks.get(subject)
    if (own === undefined) return seen
    const { mark, writtenAtMs } = own
    const isSettled = writtenAtMs !== undefined && Date.now() - writtenAtMs >= SETTLING_MS
    // The store's mark may be older or newer than ours, so the result combines both.
    if (mark !== seen && !isSettled) return `${mark} ${seen}`
    this.#marks.delete(subject)
    return seen
  }
}
