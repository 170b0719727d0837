import { existsSync, type FSWatcher, readdirSync, realpathSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/** Options of `watchFolders()`. Paths are relative, with forward slashes. */
export interface FolderWatcherOptions {
  /** Returns whether a folder is not watched. Its path ends in a slash. */
  readonly isSkipped: (path: string) => boolean
  /** Receives the path of a file that changed. The path of a folder that is gone ends in a slash. */
  readonly onEvent: (path: string) => void
  /** Receives the path of each file that is there at the start. */
  readonly onFound: (path: string) => void
  /** Receives one sentence if some changes cannot be noticed. */
  readonly onProblem: (message: string) => void
}

/** Watches a folder and its subfolders. */
export interface FolderWatcher {
  /** Looks at all folders again, because other ones are skipped now. */
  rescan(): void
  close(): void
}

const MAX_FOLDERS = 5_000

const ADVICE =
  'List folders without source files in .gitignore, or run sidecard dev in the folder of your app.'

/**
 * Watches each folder, and never a file: a watched file is lost when an editor
 * replaces it. Links to folders are followed.
 */
export function watchFolders(root: string, options: FolderWatcherOptions): FolderWatcher {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly realPath: string }>()
  const realPaths = new Set<string>()
  const reported = new Set<string>()

  function report(message: string): void {
    if (!reported.has(message)) options.onProblem(message)
    reported.add(message)
  }

  /** @param onFile receives the files, if the folder is new */
  function add(path: string, onFile?: (path: string) => void): void {
    const folder = join(root, path)
    try {
      const realPath = realpathSync(folder)
      // A link may lead to one of its parents.
      if (realPaths.has(realPath)) return
      if (watchers.size >= MAX_FOLDERS) {
        return report(`Only ${MAX_FOLDERS} folders are watched, and there are more. ${ADVICE}`)
      }
      // It is watched before it is read, so that no new file is missed.
      const watcher = watch(folder, (event, name) => handle(path, event, name))
      watcher.on('error', () => remove(path))
      watchers.set(path, { watcher, realPath })
      realPaths.add(realPath)
      for (const name of readdirSync(folder)) visit(path === '' ? name : `${path}/${name}`, onFile)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EMFILE') return
      const limit = code === 'ENOSPC' ? 'max_user_watches' : 'max_user_instances'
      report(
        `The system cannot watch more folders (${code}), so some changes are not noticed. Raise the limit fs.inotify.${limit} with sysctl. ${ADVICE}`,
      )
    }
  }

  function visit(path: string, onFile?: (path: string) => void): void {
    if (!isDirectory(join(root, path))) onFile?.(path)
    else if (!options.isSkipped(`${path}/`)) add(path, onFile)
  }

  function remove(path: string): void {
    for (const [each, { watcher, realPath }] of watchers) {
      if (each !== path && path !== '' && !each.startsWith(`${path}/`)) continue
      watcher.close()
      watchers.delete(each)
      realPaths.delete(realPath)
    }
  }

  function handle(folder: string, event: string, name: string | null): void {
    if (name === null) return
    const path = folder === '' ? name : `${folder}/${name}`
    if (event === 'rename') {
      if (!existsSync(root)) {
        report('The folder was removed. Start sidecard dev again.')
        return
      }
      if (watchers.has(path)) {
        // The folder is gone, or another one has its name.
        remove(path)
        options.onEvent(`${path}/`)
      }
      if (isDirectory(join(root, path))) return visit(path, options.onEvent)
    }
    options.onEvent(path)
  }

  add('', options.onFound)
  return {
    rescan() {
      remove('')
      add('')
    },
    close: () => remove(''),
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // It is gone, or a link that leads nowhere.
    return false
  }
}
