import { existsSync, type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Options of `watchFolders()`. Paths are relative, with forward slashes. */
export interface FolderWatcherOptions {
  /** Returns whether a folder is not watched. Its path ends in a slash. */
  readonly isSkipped: (path: string) => boolean
  /** Receives the path of a file that changed. The path of a deleted folder ends in a slash. */
  readonly onEvent: (path: string) => void
  /** Receives the path of each existing file at the start, and again after `rescan()`. */
  readonly onFound: (path: string) => void
  /** Receives one sentence if some changes cannot be detected. */
  readonly onProblem: (message: string) => void
}

const MAX_FOLDERS = 5_000

const ADVICE =
  'List folders without source files in .gitignore, or run sidecard dev in the folder of your app.'

/**
 * Watches a folder and its subfolders, but no single files: a watch on a file ends
 * when an editor replaces it. Links to folders are followed.
 */
export function watchFolders(
  root: string,
  { isSkipped, onEvent, onFound, onProblem }: FolderWatcherOptions,
) {
  /**
   * The watched folders by real path, because a link may lead to a parent. Each
   * `path` is empty or ends in a slash.
   */
  const folders = new Map<string, { readonly path: string; readonly watcher: FSWatcher }>()
  const reported = new Set<string>()

  function report(message: string): void {
    if (!reported.has(message)) onProblem(message)
    reported.add(message)
  }

  function add(path: string, onFile: (path: string) => void): void {
    try {
      const realPath = realpathSync(join(root, path))
      if (folders.has(realPath)) return
      if (folders.size >= MAX_FOLDERS) {
        return report(`Only ${MAX_FOLDERS} folders are watched, and there are more. ${ADVICE}`)
      }
      // The folder is watched before it is read, so that no new file is missed.
      const watcher = watch(realPath, (event, name) => {
        if (name !== null) handle(event, `${path}${name}`)
      })
      watcher.on('error', () => remove(path))
      folders.set(realPath, { path, watcher })
      for (const name of readdirSync(realPath)) visit(`${path}${name}`, onFile)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EMFILE') return
      const limit = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances'
      report(
        `The system cannot watch more folders (${code}), so some changes are not noticed. Raise the limit fs.inotify.${limit} with sysctl. ${ADVICE}`,
      )
    }
  }

  function visit(path: string, onFile: (path: string) => void): void {
    if (!isDirectory(join(root, path))) onFile(path)
    else if (!isSkipped(`${path}/`)) add(`${path}/`, onFile)
  }

  /** @returns whether the folder was watched */
  function remove(path: string): boolean {
    const removed = [...folders].filter(([, folder]) => folder.path.startsWith(path))
    for (const [realPath, { watcher }] of removed) {
      watcher.close()
      folders.delete(realPath)
    }
    return removed.length > 0
  }

  function handle(event: string, path: string): void {
    if (event !== 'rename') return onEvent(path)
    if (!existsSync(root)) return report('The folder was removed. Start sidecard dev again.')
    // The folder was deleted, or replaced by another one.
    if (remove(`${path}/`)) onEvent(`${path}/`)
    visit(path, onEvent)
  }

  add('', onFound)
  return {
    /** Scans all folders again, because the skipped ones have changed. */
    rescan(): void {
      remove('')
      add('', onFound)
    },
    close: () => void remove(''),
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // The path was deleted, or is a broken link.
    return false
  }
}
