import type { SourceChange } from './source-watcher.ts'

/**
 * What is known about the code that responds after a save. `fetched`: nothing,
 * because its responses have no ID.
 */
export type Verdict = 'reloaded' | 'unchanged' | 'fetched'

/** A save, and the responses that it led to. */
export interface Reload {
  readonly changes: readonly SourceChange[]
  readonly verdict: Verdict
  /** Returns whether a response is from the code that was saved. */
  isCurrent(instance: string | undefined): boolean
}
