import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { watchFolders } from './folder-watcher.ts'
import { createGitIgnored } from './git-ignored.ts'
import type { Activity } from './traffic.ts'

/** A file that was saved, or a folder that is gone. */
export interface SourceChange {
  /** Relative to the watched folder, with forward slashes. */
  readonly path: string
  /** The activity of the app, which may have caused the change. */
  readonly activity: Activity
  /** Whether the file has the same bytes as before. */
  readonly isSame: boolean
}

/** Returns the path of each change once. */
export function pathsOf(changes: readonly SourceChange[]): readonly string[] {
  return [...new Set(changes.map(({ path }) => path))]
}

/** Options of `watchSource()`. */
export interface SourceWatcherOptions {
  /** Returns at the time of a change what the app is doing. */
  readonly activity: () => Activity
  /** Called for each change immediately, before the burst ends. */
  readonly onNotice: () => void
  /** Receives the changes of one burst, and its start in milliseconds of `performance.now()`. */
  readonly onChange: (changes: readonly SourceChange[], startedAt: number) => void
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

/** Files that programs write more often than people do. */
const DATA = /(?<!(?:^|\/)sidecard(?:\.local)?)\.(?:json|xml|html?|ya?ml)$/i

/** Returns whether a file has data, such as the report of a check or what an app caches. */
export function isData(path: string): boolean {
  return DATA.test(path)
}

const MAX_KNOWN = 2_000
const MAX_BYTES = 1_048_576

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
  { activity, onNotice, onChange, onProblem }: SourceWatcherOptions,
): () => void {
  const ignored = createGitIgnored(folder)
  const changed = new Map<string, Activity>()
  const known = new Map<string, string>()
  const watchedSince = Date.now()
  let isClosed = false
  let found: string[] | undefined = []
  let startedAt = 0
  let timer: NodeJS.Timeout | undefined

  const isSource = (path: string) =>
    !TOOLS.test(path) &&
    !LOCK.test(path) &&
    (isSecretsFile(path) || (SOURCE.test(path) && !ignored.test(path)))

  /** Remembers the content from before the start, so that a save without a change is noticed. */
  async function readFound(paths: readonly string[]): Promise<void> {
    for (const path of paths.slice(0, MAX_KNOWN)) {
      // oxlint-disable-next-line no-await-in-loop -- events come first
      await setImmediate()
      if (isClosed) return
      const content = readContent(join(folder, path), watchedSince)
      if (!known.has(path)) known.set(path, content ?? 'unknown')
    }
    if (paths.length <= MAX_KNOWN) found = undefined
  }

  function toChange([path, activity]: readonly [string, Activity]): SourceChange | undefined {
    const before = known.get(path)
    const content = readContent(join(folder, path)) ?? ''
    known.set(path, content)
    // A program that writes a report truncates the file first. No code reads a new one.
    const isNew = before === undefined && found === undefined
    if (isData(path) && (content === '0' || isNew)) return undefined
    return { path, activity, isSame: content !== '' && content === before }
  }

  function report(): void {
    const changes = [...changed].map(toChange).filter((change) => change !== undefined)
    changed.clear()
    if (changes.length > 0) onChange(changes, startedAt)
  }

  const watcher = watchFolders(folder, {
    isSkipped: (path) => TOOLS.test(path) || ignored.test(path),
    onProblem,
    onFound: (path) => isSource(path) && found?.push(path),
    onEvent(path) {
      if (path.endsWith('.gitignore')) {
        ignored.refresh()
        watcher.rescan()
        return
      }
      if (!isSource(path)) return
      onNotice()
      if (changed.size === 0) startedAt = performance.now()
      const before = changed.get(path) ?? 'during'
      const now = activity()
      // A file counts if at least one of its changes counts.
      changed.set(path, RANKS[now] < RANKS[before] ? now : before)
      clearTimeout(timer)
      const left = startedAt + MAX_DELAY_MS - performance.now()
      timer = setTimeout(report, Math.max(0, Math.min(DEBOUNCE_MS, left)))
    },
  })
  void readFound(found)
  return () => {
    isClosed = true
    clearTimeout(timer)
    watcher.close()
  }
}

const RANKS = { idle: 0, after: 1, during: 2 } as const

/**
 * Returns what identifies the content of a file: `'0'` for an empty one, and
 * `undefined` for one that is gone, too large, or changed after a time.
 */
function readContent(file: string, before = Infinity): string | undefined {
  try {
    const { size, ctimeMs } = statSync(file)
    if (size > MAX_BYTES || ctimeMs >= before) return undefined
    return size === 0 ? '0' : createHash('sha1').update(readFileSync(file)).digest('hex')
  } catch {
    return undefined
  }
}
