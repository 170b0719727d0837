/**
 * `node scripts/check-release.ts [folder]`: prints what the owner must fill in before a release,
 * and fails if anything is missing. `npm publish` and the release workflow run it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The fields that name the public repository, with their form. */
const FIELDS = {
  repository: '{ "type": "git", "url": "git+https://HOST/OWNER/NAME.git" }',
  homepage: '"https://HOST/OWNER/NAME#readme"',
  bugs: '"https://HOST/OWNER/NAME/issues"',
}
const MANIFESTS = ['package.json', 'scripts/create-sidecard/package.json']
/** Pages that explain what to do until the first release. */
const PAGES = ['README.md', 'docs/get-started.md']
const UNPUBLISHED = /not published yet|(?:until|once) the package is published/i

const folder = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

const fields = MANIFESTS.flatMap((file) => {
  const manifest = JSON.parse(read(file)) as Readonly<Record<string, unknown>>
  return Object.entries(FIELDS)
    .filter(([name]) => !/"(?:git\+)?https:\/\//.test(JSON.stringify(manifest[name] ?? '')))
    .map(([name, form]) => `${file}: add "${name}": ${form}`)
})
const sentences = PAGES.filter((file) => UNPUBLISHED.test(read(file))).map(
  (file) => `${file}: remove the text that says that the package is not published.`,
)
const missing = [...fields, ...sentences]
if (missing.length > 0) {
  console.error(`Before a release:\n${missing.join('\n')}`)
  process.exitCode = 1
}
