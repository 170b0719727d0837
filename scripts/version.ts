/**
 * `node scripts/version.ts 0.2.0 [folder]`: writes the version to each file that names it, and gives it to
 * the changes under "Unreleased" in CHANGELOG.md. Commit the result, and push the tag `v0.2.0`: the
 * release workflow publishes it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The places of the version. `create-sidecard` has the same one, so that its users get it. */
const PLACES: readonly (readonly [file: string, before: RegExp])[] = [
  ['package.json', /"version": "/g],
  ['package-lock.json', /"name": "sidecard",\s+"version": "/g],
  ['scripts/create-sidecard/package.json', /"version": "|"sidecard": "\^/g],
  ['.github/actions/check/action.yml', /default: /g],
  ['README.md', /sidecard-/g],
]

const root = fileURLToPath(new URL('../', import.meta.url))
const [version = '', folder = root] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Pass the new version, such as 0.2.0.')
const { version: previous } = JSON.parse(read('package.json')) as { version: string }

const edits = PLACES.map(([file, before]) => {
  const places = new RegExp(`(${before.source})${previous.replaceAll('.', '\\.')}`, before.flags)
  return edit(file, places, `$1${version}`, `version ${previous}`)
})
edits.push(edit('CHANGELOG.md', /^## Unreleased$/m, `## ${version}`, 'changes under "Unreleased"'))
// Only a release that is complete is written.
for (const [file, text] of edits) writeFileSync(join(folder, file), text)

function edit(file: string, pattern: RegExp, replacement: string, missing: string) {
  const text = read(file)
  const changed = text.replace(pattern, replacement)
  if (changed === text) throw new Error(`${file} has no ${missing}.`)
  return [file, changed] as const
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}
