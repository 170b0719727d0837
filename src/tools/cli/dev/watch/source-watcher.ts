import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join, parse } from 'node:path'
import { watchFolders } from './folder-watcher.ts'
import { createGitIgnored } from './git-ignored.ts'
import { createGitTracked } from './git-tracked.ts'
import type { SavedFile } from '../loop/loop-state.ts'

/** Options of `watchSource()`. */
export interface SourceWatcherOptions {
  /** Called for each change immediately, before the burst ends. */
  readonly onNotice: () => void
  /**
   * Receives the files that were saved in one burst, and the time of the last change in
   * milliseconds of `performance.now()`. The path of a deleted folder ends in a slash.
   */
  readonly onChange: (files: readonly SavedFile[], changedAt: number) => void
  /** Receives one sentence if some changes cannot be noticed. */
  readonly onProblem: (message: string) => void
}

/** Matches folders that are ignored even if no `.gitignore` lists them. */
const TOOLS = /(?:^|\/)(?:node_modules|\.git|\.wrangler|\.cache|dist|coverage)\//

/** Matches the links with which Emacs marks files that are being edited. */
const LOCK = /(?:^|\/)\.#/

/** Matches test files, which a server does not load. */
const TEST = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec)\.\w+$/

/** Returns whether a file has local secrets. Git ignores them, but the app reads them. */
export const isSecretsFile = (path: string) =>
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.dev\.vars)$/.test(path)

/**
 * Matches files that count without a question to git. Others count if git tracks them and
 * a source file names them: a page of Markdown that no module reads restarts nothing.
 */
const SOURCE =
  /(?:^|\/)(?:Dockerfile|Makefile)$|\/$|\.(?:[cm]?[jt]sx?|jsonc?|json5|toml|ya?ml|ini|properties|xml|sql|graphql|gql|prisma|html?|css|vue|svelte|astro|ejs|hbs|py|rb|php|go|rs|java|kts?|scala|groovy|cs|fs|exs?|erl|cljs?|swift|dart|lua|pl|sh|wasm)$/i

/**
 * Returns whether a file contains data, such as a report or a cache. Programs
 * write such files more often than people do.
 */
export const isData = (path: string) =>
  /(?<!(?:^|\/)sidecard(?:\.local)?)\.(?:json|xml|html?|ya?ml)$/i.test(path)

const MAX_KNOWN = 2_000
const MAX_BYTES = 1_048_576

/** Editors may write a file several times for one save. */
const DEBOUNCE_MS = 60
/** The maximum delay of a report: a file that changes all the time must not delay others. */
const MAX_DELAY_MS = 1_000

/**
 * Calls back once for each burst of changes to source files in a folder. Files
 * that git ignores do not count, except for local secrets.
 *
 * @returns a function that stops watching
 */
export function watchSource(
  folder: string,
  { onNotice, onChange, onProblem }: SourceWatcherOptions,
): () => void {
  const ignored = createGitIgnored(folder)
  const tracked = createGitTracked(folder)
  const changed = new Set<string>()
  /** The content of files, to recognize a save without a change. */
  const known = new Map<string, string>()
  let startedAt = 0
  let changedAt = 0
  let timer: NodeJS.Timeout | undefined

  const isSource = (path: string) =>
    !TOOLS.test(path) &&
    !LOCK.test(path) &&
    !TEST.test(path) &&
    (isListed(path) || tracked.has(path) === true)

  /** Returns whether a file counts by its name. */
  const isListed = (path: string) =>
    isSecretsFile(path) || (SOURCE.test(path) && !ignored.test(path))

  function toFile(path: string): readonly SavedFile[] {
    const before = known.get(path)
    const content = readContent(join(folder, path))
    known.set(path, content)
    if (!isListed(path) && !isNamed(path, folder, [...known.keys()])) return []
    const isTracked = tracked.has(path)
    // A data file that is new, such as a report, is read by no code yet.
    if (isData(path) && isTracked !== true && before === undefined && knowsAll) return []
    const isSame = content !== UNKNOWN && content === before
    const limit = isData(path) && isTracked !== true ? 1 : 21
    return [{ path, isSame, limit, needsRestart: isSecretsFile(path) }]
  }

  function report(): void {
    const files = [...changed].flatMap(toFile)
    changed.clear()
    if (files.length > 0) onChange(files, changedAt)
    tracked.refresh()
  }

  const watcher = watchFolders(folder, {
    isSkipped: (path) => TOOLS.test(path) || ignored.test(path),
    onProblem,
    onFound(path) {
      const isKnown = known.has(path) || changed.has(path)
      if (isKnown || known.size >= MAX_KNOWN || !isSource(path)) return
      known.set(path, readContent(join(folder, path)))
    },
    onEvent(path) {
      if (path.endsWith('.gitignore')) {
        ignored.refresh()
        watcher.rescan()
        return
      }
      if (!isSource(path)) return
      onNotice()
      if (changed.size === 0) startedAt = performance.now()
      changedAt = performance.now()
      changed.add(path)
      clearTimeout(timer)
      const left = startedAt + MAX_DELAY_MS - performance.now()
      timer = setTimeout(report, Math.max(0, Math.min(DEBOUNCE_MS, left)))
    },
  })
  const knowsAll = known.size < MAX_KNOWN
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}

/** Returns whether a source file names this file, or its folder, so that the app may read it. */
function isNamed(path: string, folder: string, sources: readonly string[]): boolean {
  const { base, name, dir } = parse(path)
  const [file, stem, parent] = [base, name, basename(dir) || base].map(escapeRegExp)
  const pattern = new RegExp(`${file}|["'\`/]${stem}["'\`]|["'\`](?:\\./)?${parent}["'\`/]`)
  const code = sources.filter((source) => SOURCE.test(source) && !isData(source))
  return code.some((source) => pattern.test(read(join(folder, source))))
}

const escapeRegExp = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It was deleted.
    return ''
  }
}

const UNKNOWN = 'unknown'

/** Returns a digest of a file's content, or a mark if it is missing or too large. */
function readContent(file: string): string {
  try {
    const { size } = statSync(file)
    if (size > MAX_BYTES) return UNKNOWN
    return createHash('sha1').update(readFileSync(file)).digest('hex')
  } catch {
    return UNKNOWN
  }
}
