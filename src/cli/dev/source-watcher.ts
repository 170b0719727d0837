import { watchFolders } from './folder-watcher.ts'
import { createGitIgnored } from './git-ignored.ts'

/** A file that was saved, or a folder that is gone. */
export interface SourceChange {
  /** Relative to the watched folder, with forward slashes. */
  readonly path: string
  /** Whether the app itself may have made the change. */
  readonly disturbed: boolean
}

/** Returns the path of each change once. */
export function pathsOf(changes: readonly SourceChange[]): readonly string[] {
  return [...new Set(changes.map(({ path }) => path))]
}

/** Options of `watchSource()`. */
export interface SourceWatcherOptions {
  /** Returns at the time of a change whether the app itself may have made it. */
  readonly isDisturbed: () => boolean
  /** Called for each change immediately, before the burst ends. */
  readonly onNotice: () => void
  /** Receives the changes of one burst. */
  readonly onChange: (changes: readonly SourceChange[]) => void
  /** Receives one sentence if some changes cannot be noticed. */
  readonly onProblem: (message: string) => void
}

/** Folders that are ignored even if no `.gitignore` lists them. */
const TOOLS = /(?:^|\/)(?:node_modules|\.git|\.wrangler|\.cache|dist|coverage)\//

/** Emacs marks a file that is being edited with a link of this name. */
const LOCK = /(?:^|\/)\.#/

const SECRETS = /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.dev\.vars)$/

/** Returns whether a file has local secrets. Git ignores them, but the app reads them. */
export function isSecretsFile(path: string): boolean {
  return SECRETS.test(path)
}

/** Files that people edit, without logs, databases and editors' temporary files. */
const SOURCE =
  /(?:^|\/)(?:Dockerfile|Makefile)$|\/$|\.(?:[cm]?[jt]sx?|jsonc?|json5|toml|ya?ml|ini|properties|xml|sql|graphql|gql|prisma|html?|css|vue|svelte|astro|ejs|hbs|py|rb|php|go|rs|java|kts?|scala|groovy|cs|fs|exs?|erl|cljs?|swift|dart|lua|pl|sh|wasm)$/i

/** Editors may write a file several times for one save. */
const DEBOUNCE_MS = 60
/** A file that changes all the time must not delay the report of others. */
const MAX_DELAY_MS = 1_000

/**
 * Calls back once for each burst of changes to source files in a folder. Files
 * that git ignores do not count, except for local secrets.
 *
 * @returns a function that stops watching
 */
export function watchSource(
  folder: string,
  { isDisturbed, onNotice, onChange, onProblem }: SourceWatcherOptions,
): () => void {
  const ignored = createGitIgnored(folder)
  const changed = new Map<string, boolean>()
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    const changes = [...changed].map(([path, disturbed]) => ({ path, disturbed }))
    changed.clear()
    if (changes.length > 0) onChange(changes)
  }

  const watcher = watchFolders(folder, {
    isSkipped: (path) => TOOLS.test(path) || ignored.test(path),
    onProblem,
    onEvent(path) {
      if (path.endsWith('.gitignore')) {
        ignored.refresh()
        watcher.rescan()
        return
      }
      const isSecret = isSecretsFile(path)
      if (
        TOOLS.test(path) ||
        LOCK.test(path) ||
        (!isSecret && (!SOURCE.test(path) || ignored.test(path)))
      )
        return
      onNotice()
      if (changed.size === 0) startedAt = performance.now()
      // A file counts if at least one of its changes counts.
      changed.set(path, (changed.get(path) ?? true) && isDisturbed())
      clearTimeout(timer)
      const left = startedAt + MAX_DELAY_MS - performance.now()
      timer = setTimeout(report, Math.max(0, Math.min(DEBOUNCE_MS, left)))
    },
  })
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
