/**
 * `node scripts/check-release.ts [folder]`: fails unless both packages name the public
 * repository, and no page says that the package is not published. `npm run release` and
 * `npm publish` run it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACEHOLDER = 'REPLACE-BEFORE-RELEASE.example'
/** Pages that explain what to do until the first release. */
const PAGES = ['README.md', 'docs/get-started.md']
const UNPUBLISHED = /(?:until|once) the package is published/i
const folder = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))

interface Manifest {
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly url?: string }
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8')

const placeholders = ['package.json', 'create-sidecard/package.json'].flatMap((file) => {
  const manifest = JSON.parse(read(file)) as Manifest
  const { homepage, bugs, repository } = manifest
  const urls = { homepage, bugs, 'repository.url': repository?.url }
  return Object.entries(urls)
    .filter(([, url]) => !/^(?:git\+)?https:\/\//.test(url ?? '') || url?.includes(PLACEHOLDER))
    .map(([field]) => `${file}: ${field} must be a URL of the public repository.`)
})
const sentences = PAGES.filter((file) => UNPUBLISHED.test(read(file))).map(
  (file) => `${file}: a sentence says that the package is not published.`,
)
const advice =
  placeholders.length > 0
    ? [`Replace ${PLACEHOLDER} with the host and owner of the repository.`]
    : []
const problems = [...placeholders, ...sentences, ...advice]
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
