import { isSidecardError } from '../internal/errors.ts'
import { BoundedMap } from './bounded-map.ts'

const MAX_FAILURES = 1_000
const MAX_BYTES = 1024 * 1024
const MAX_CHARACTERS = 500

/** The pause after the first failure, which doubles with each further failure. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/** The outcomes of designed cards. They are not failures, and make stale content wrong. */
const OUTCOMES: ReadonlySet<string> = new Set(['not_found', 'ambiguous', 'not_available'])

/** Returns whether an error shows a designed card. */
export function isDesignedOutcome(error: unknown): boolean {
  return isSidecardError(error) && OUTCOMES.has(error.code)
}

interface Failure {
  readonly name: string
  readonly message: string
  readonly failedAtMs: number
  readonly pauseMs: number
}

/**
 * Remembers the most recent failed refreshes. It stores a summary of each error,
 * because the stack and cause of the error itself can keep a whole request in
 * memory.
 */
export class FailureMemory {
  readonly #failures = new BoundedMap(MAX_FAILURES, MAX_BYTES)

  remember(key: string, error: unknown): void {
    const doubledMs = 2 * (this.#read(key)?.pauseMs ?? FIRST_PAUSE_MS / 2)
    const pauseMs = Math.min(doubledMs, MAX_PAUSE_MS)
    const failure: Failure = { ...summarize(error), failedAtMs: Date.now(), pauseMs }
    this.#failures.set(key, JSON.stringify(failure))
  }

  forget(key: string): void {
    this.#failures.delete(key)
  }

  /**
   * Returns an error with the name and the message of the last one, and whether it
   * is too early for another refresh.
   */
  recall(key: string): { readonly error: Error; readonly isRecent: boolean } | undefined {
    const failure = this.#read(key)
    if (failure === undefined) return undefined
    const elapsedMs = Date.now() - failure.failedAtMs
    // If the clock was set back, the pause is over.
    const isRecent = elapsedMs >= 0 && elapsedMs < failure.pauseMs
    const { name, message } = failure
    return { error: Object.assign(new Error(message), { name }), isRecent }
  }

  #read(key: string): Failure | undefined {
    const text = this.#failures.get(key)
    return text === undefined ? undefined : (JSON.parse(text) as Failure)
  }
}

function summarize(error: unknown): Pick<Failure, 'name' | 'message'> {
  try {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { name: shorten(name), message: shorten(message) }
  } catch {
    return { name: 'Error', message: 'The error cannot be read.' }
  }
}

function shorten(text: unknown): string {
  return String(text).slice(0, MAX_CHARACTERS)
}
