import type { SourceChange } from './source-watcher.ts'

/** Tells files that the app itself writes from files that a person saves. */
export interface OwnWrites {
  /** Returns the changes that a person may have made, and counts all of them. */
  filter(changes: readonly SourceChange[]): readonly SourceChange[]
  /** Handles the start of a run of the app. A file counts once in each run. */
  appRuns(): void
  /** Returns whether the next run decides about one of the files. */
  isDecisive(changes: readonly SourceChange[]): boolean
  /**
   * Handles files after a run. The ones that did not change again were saved by a
   * person.
   *
   * @returns whether there is such a file
   */
  settle(changes: readonly SourceChange[]): boolean
}

/**
 * In how many runs of the app a file may change while the app starts or responds,
 * each time because the app ran again.
 */
const MAX_IN_A_ROW = 2

/** @param onIgnored receives the path of a file whose changes no longer count */
export function createOwnWrites(onIgnored: (path: string) => void): OwnWrites {
  const inARow = new Map<string, number>()
  const inThisRun = new Set<string>()
  const count = (path: string) => inARow.get(path) ?? 0

  return {
    filter: (changes) =>
      changes.filter(({ path, disturbed }) => {
        if (!disturbed) inARow.delete(path)
        else if (!inThisRun.has(path)) {
          inARow.set(path, count(path) + 1)
          if (count(path) === MAX_IN_A_ROW + 1) onIgnored(path)
        }
        inThisRun.add(path)
        return count(path) <= MAX_IN_A_ROW
      }),
    appRuns: () => inThisRun.clear(),
    isDecisive: (changes) => changes.some(({ path }) => count(path) === MAX_IN_A_ROW),
    settle(changes) {
      const saved = changes.filter(({ path }) => !inThisRun.has(path))
      for (const { path } of saved) inARow.delete(path)
      return saved.length > 0
    },
  }
}
