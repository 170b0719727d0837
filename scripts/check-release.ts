/**
 * `node scripts/check-release.ts [folder]`: fails unless both packages name the public
 * repository. `npm run release` and `npm publish` run it, so that no package with the
 * placeholder is published.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACEHOLDER = 'REPLACE-BEFORE-RELEASE.example'
const folder = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))

interface Manifest {
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly url?: string }
}

const problems = ['package.json', 'create-sidecard/package.json'].flatMap((file) => {
  const manifest = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Manifest
  const { homepage, bugs, repository } = manifest
  const urls = { homepage, bugs, 'repository.url': repository?.url }
  return Object.entries(urls)
    .filter(([, url]) => !/^(?:git\+)?https:\/\//.test(url ?? '') || url?.includes(PLACEHOLDER))
    .map(([field]) => `${file}: ${field} must be a URL of the public repository.`)
})
if (problems.length > 0) {
  console.error(`${problems.join('\n')}\nReplace ${PLACEHOLDER} with its host and owner.`)
  process.exitCode = 1
}
