/**
 * `node scripts/version.ts`: moves the notes of `.changeset` into CHANGELOG.md, and
 * writes the new version to each file that names it. The release workflow runs it.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

/** The other places of the version. `create-sidecard` has the same one, so that its users get it. */
const PLACES: readonly (readonly [file: string, before: RegExp])[] = [
  ['package-lock.json', /"name": "sidecard",\s+"version": "/g],
  ['create-sidecard/package.json', /"version": "|"sidecard": "\^/g],
  ['.github/actions/check/action.yml', /default: /g],
  ['README.md', /sidecard-/g],
]

const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
const readVersion = () => (JSON.parse(read('package.json')) as { version: string }).version

const previous = readVersion()
execFileSync(process.execPath, ['node_modules/@changesets/cli/bin.js', 'version'], {
  cwd: fileURLToPath(root),
  stdio: 'inherit',
})
const version = readVersion()
for (const [file, before] of PLACES) {
  const places = new RegExp(`(${before.source})${previous.replaceAll('.', '\\.')}`, before.flags)
  const text = read(file)
  const changed = text.replace(places, `$1${version}`)
  if (changed === text) throw new Error(`${file} does not name version ${previous}.`)
  writeFileSync(new URL(file, root), changed)
}
