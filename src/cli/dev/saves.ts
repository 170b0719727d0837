import { isData, type SourceChange } from './source-watcher.ts'

/** After how many changes in a row, each right after a response or a start, a file is the app's. */
const MAX_IN_A_ROW = 30

/** Tells files that a person saves from files that the app writes. */
export interface Saves {
  /**
   * Returns the changes that a person may have made. A file that the app writes
   * because of our requests must not cause more of them.
   */
  filter(changes: readonly SourceChange[]): readonly SourceChange[]
  /** Handles a start of the app or a data fetch. In between, a file counts once. */
  appRuns(): void
}

/** @param onIgnored receives the path of a file whose change does not count, once */
export function createSaves(onIgnored: (path: string) => void): Saves {
  const scores = new Map<string, number>()
  const inThisRun = new Set<string>()
  const told = new Set<string>()

  function isSave({ path, activity }: SourceChange): boolean {
    if (activity === 'idle') {
      scores.set(path, 0)
      return true
    }
    // A person who saves again right after each response looks like an app that writes a file.
    // Apps mostly write data, so code gets more chances.
    const before = scores.get(path) ?? (isData(path) ? MAX_IN_A_ROW : 0)
    const added = activity === 'during' ? MAX_IN_A_ROW : 1
    const score = before + (inThisRun.has(path) && before > 0 ? 0 : added)
    inThisRun.add(path)
    scores.set(path, score)
    return score <= MAX_IN_A_ROW
  }

  return {
    filter: (changes) =>
      changes.filter((change) => {
        if (isSave(change)) return true
        if (!told.has(change.path)) onIgnored(change.path)
        told.add(change.path)
        return false
      }),
    appRuns: () => inThisRun.clear(),
  }
}
