import { flatString } from './flat-string.ts'

const MAX_FAILURES = 1_000
const MAX_CHARACTERS = 500

interface FailureSummary {
  readonly name: string
  readonly message: string
}

/**
 * Remembers the most recent failed loads. It stores a summary of each error,
 * because the stack and cause of the error itself can keep a whole request in
 * memory.
 */
export class FailureMemory {
  readonly #summaries = new Map<string, FailureSummary>()

  remember(hash: string, error: unknown): void {
    this.#summaries.delete(hash)
    this.#summaries.set(hash, summarize(error))
    const [oldest] = this.#summaries.keys()
    if (this.#summaries.size > MAX_FAILURES && oldest !== undefined) this.forget(oldest)
  }

  forget(hash: string): void {
    this.#summaries.delete(hash)
  }

  /** Returns an error with the name and the message of the remembered one. */
  recall(hash: string): Error | undefined {
    const summary = this.#summaries.get(hash)
    // A `DOMException` can have any name, and a timeout is recognized by its class.
    return summary && new DOMException(summary.message, summary.name)
  }
}

function summarize(error: unknown): FailureSummary {
  try {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { name: shorten(name), message: shorten(message) }
  } catch {
    return { name: 'Error', message: 'The error cannot be read.' }
  }
}

function shorten(text: unknown): string {
  return flatString(String(text).slice(0, MAX_CHARACTERS))
}
