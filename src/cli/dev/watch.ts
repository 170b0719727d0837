import { watch } from 'node:fs'

/** Folders and files that a save of the source does not touch, but tools do. */
const IGNORED =
  /(?:^|[\\/])(?:node_modules|\.git|\.wrangler|\.cache|dist|coverage)(?:[\\/]|$)|\.sqlite(?:-\w+)?$|\.log$|~$/

/** One save writes several times. */
const QUIET_MS = 60

/**
 * Calls back after files below a folder were changed, once for a burst of
 * changes.
 *
 * @returns ends the watching
 */
export function watchSource(folder: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  // A Node that does not know `ignore` watches more than it needs to; the filter below still holds.
  const options = { recursive: true, ignore: IGNORED }
  const watcher = watch(folder, options, (_event, name) => {
    if (name === null || IGNORED.test(name)) return
    clearTimeout(timer)
    timer = setTimeout(onChange, QUIET_MS)
  })
  // A folder that was deleted under it, or too many files: the workspace still has Reload.
  watcher.on('error', () => undefined)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
