import { execFile } from 'node:child_process'

/** Knows which files of a folder git tracks. It asks git in the background. */
export function createGitTracked(folder: string) {
  let files: ReadonlySet<string> | undefined
  let isAsking = false

  function refresh(): void {
    if (isAsking) return
    isAsking = true
    const options = { cwd: folder, maxBuffer: 100_000_000 }
    execFile('git', ['ls-files', '-z'], options, (error, stdout) => {
      isAsking = false
      files = error === null ? new Set(stdout.split('\0')) : undefined
    })
  }

  refresh()
  return {
    /** Returns whether git tracks a file; `undefined` without a repository or an answer. */
    has: (path: string) => files?.has(path),
    /** Asks git again, because files have changed. */
    refresh,
  }
}
