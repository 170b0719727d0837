import { watch } from 'node:fs'
import { sep } from 'node:path'
import { createIgnoreTest } from './gitignore.ts'

/** Folders that are ignored even if no `.gitignore` lists them. */
const IGNORED = /(?:^|[\\/])(?:node_modules|\.git|\.wrangler|\.cache|dist|coverage)(?:[\\/]|$)/

/** Extensions of files that people edit, without logs, databases and editors' temporary files. */
const SOURCE =
  /(?:^|[\\/])(?:\.env(?:\.[\w.-]+)?|\.dev\.vars|Dockerfile|Makefile)$|\.(?:[cm]?[jt]sx?|jsonc?|json5|toml|ya?ml|ini|properties|xml|sql|graphql|gql|prisma|html?|css|vue|svelte|astro|ejs|hbs|py|rb|php|go|rs|java|kts?|scala|groovy|cs|fs|exs?|erl|cljs?|swift|dart|lua|pl|sh|wasm)$/i

/** Editors may write a file several times for one save. */
const DEBOUNCE_MS = 60

/**
 * Calls back once for each burst of changes to source files in a folder. Files
 * that git ignores do not count.
 *
 * @param isDisturbed Returns at the time of a change whether the app itself may have made it.
 * @param onChange Receives whether the app itself may have made every change of the burst.
 * @returns a function that stops watching
 */
export function watchSource(
  folder: string,
  isDisturbed: () => boolean,
  onChange: (disturbed: boolean) => void,
): () => void {
  const isIgnored = createIgnoreTest(folder)
  const changed = new Map<string, boolean>()
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    const disturbances = [...changed].flatMap(([path, disturbed]) =>
      isIgnored(path) ? [] : [disturbed],
    )
    changed.clear()
    if (disturbances.length > 0) onChange(disturbances.every(Boolean))
  }

  // Older Node versions ignore the option `ignore` and watch more folders. The filter below still
  // applies.
  const options = { recursive: true, ignore: IGNORED }
  const watcher = watch(folder, options, (_event, name) => {
    if (name === null || IGNORED.test(name) || !SOURCE.test(name)) return
    const path = name.split(sep).join('/')
    // A file counts if at least one of its changes counts.
    changed.set(path, (changed.get(path) ?? true) && isDisturbed())
    clearTimeout(timer)
    timer = setTimeout(report, DEBOUNCE_MS)
  })
  // Watching fails if the folder was deleted or has too many files. The workspace still has a
  // Reload button.
  watcher.on('error', () => undefined)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
