import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SOAKS } from '../soak/soaks.ts'
import { root } from '../installed/root.ts'

const read = (path: string, folder = root) => readFileSync(join(folder, path), 'utf8')
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: root })

test('a release moves the notes to the changelog, and raises the version everywhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = [
    '.changeset',
    '.github',
    'CHANGELOG.md',
    'README.md',
    'create-sidecard',
    'package-lock.json',
    'package.json',
    'scripts/version.ts',
  ]
  for (const path of files) cpSync(join(root, path), join(folder, path), { recursive: true })
  writeFileSync(join(folder, '.changeset/note.md'), "---\n'sidecard': patch\n---\n\nA fix.\n")
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const git = (...args: readonly string[]) => {
    const identity = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com']
    execFileSync('git', [...identity, ...args], { cwd: folder })
  }
  git('init', '--quiet')
  git('add', ...files)
  git('commit', '--quiet', '--message', 'x')
  const { version: previous } = JSON.parse(read('package.json')) as { version: string }
  execFileSync(process.execPath, ['scripts/version.ts'], { cwd: folder, stdio: 'pipe' })

  const { version } = JSON.parse(read('package.json', folder)) as { version: string }
  expect(version).not.toBe(previous)
  const [title, , heading, , changes, , first] = read('CHANGELOG.md', folder).split('\n')
  expect([title, heading]).toEqual(['# Changelog', `## ${version}`])
  expect([changes, first]).toEqual([
    expect.stringMatching(/^### \w+ Changes$/),
    expect.stringMatching(/^- \w/),
  ])
  expect(globSync('.changeset/*.md', { cwd: folder })).toEqual(['.changeset/README.md'])
  expect(JSON.parse(read('create-sidecard/package.json', folder))).toMatchObject({
    version,
    dependencies: { sidecard: `^${version}` },
  })
  const lock = JSON.parse(read('package-lock.json', folder)) as {
    version: string
    packages: Record<string, { version: string }>
  }
  expect([lock.version, lock.packages['']?.version]).toEqual([version, version])
  expect(read('.github/actions/check/action.yml', folder)).toContain(`default: ${version}\n`)
  expect(read('README.md', folder)).toContain(`sidecard-${version}.tgz`)
})

test('both packages have the same version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(JSON.parse(read('create-sidecard/package.json'))).toMatchObject({
    version,
    dependencies: { sidecard: `^${version}` },
  })
})

/** Runs the check of a release on the manifests, and returns its exit code and messages. */
function checkRelease(edit: (text: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'create-sidecard'))
  mkdirSync(join(folder, 'docs'))
  const files = ['package.json', 'create-sidecard/package.json', 'README.md', 'docs/get-started.md']
  for (const path of files) {
    writeFileSync(join(folder, path), edit(read(path)))
  }
  const script = join(root, 'scripts/check-release.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  return { status, stderr }
}

test('a release fails while a package names the placeholder or no repository, or a page says that nothing is published', () => {
  const published = (text: string) => text.replaceAll('the package is published', 'it rains')
  const replaced = (text: string) =>
    published(text).replaceAll('REPLACE-BEFORE-RELEASE.example', 'github.com/acme')
  expect(checkRelease((text) => text)).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /^package\.json: homepage [^]*create-sidecard\/package\.json: repo[^]*\nREADME\.md: [^]*\ndocs\/get-started\.md: /,
    ),
  })
  expect(checkRelease(published).stderr).not.toContain('README.md')
  expect(checkRelease(replaced)).toEqual({ status: 0, stderr: '' })
  const without = checkRelease((text) => replaced(text).replace(/ {2}"bugs".*\n/, ''))
  expect([without.status, without.stderr]).toEqual([1, expect.stringContaining('bugs must be')])
})

test('the release workflow publishes with provenance and without a token, and keeps the list of packages', () => {
  const release = read('.github/workflows/release.yml')
  expect(release).toContain('id-token: write')
  expect(release.match(/NPM_CONFIG_PROVENANCE: 'true'/g)).toHaveLength(2)
  expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/)
  expect(release).toContain('npm audit signatures')
  expect(release).toContain('npm sbom --omit dev')
})

test('the release and npm publish run the check', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts['release']).toMatch(/^node scripts\/check-release\.ts && /)
  expect(scripts['prepublishOnly']).toBe('node scripts/check-release.ts')
})

test('every action in a workflow is pinned to a commit', () => {
  const uses = WORKFLOWS.flatMap((path) =>
    [...read(path).matchAll(/uses: (.+)/g)].map(([, name = '']) => name),
  )
  expect(uses.length).toBeGreaterThan(8)
  for (const name of uses) expect(name).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
})

test('every npm script and every program in a workflow or in CONTRIBUTING.md exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
  const texts = [...WORKFLOWS, '.ci/run', 'CONTRIBUTING.md'].map((path) => read(path)).join('\n')
  const named = (pattern: RegExp) => [...texts.matchAll(pattern)].map(([, name = '']) => name)
  const used = named(/npm run ([\w:-]+)/g)
  expect(used.length).toBeGreaterThan(5)
  for (const name of used) expect(scripts).toHaveProperty([name])
  const programs = named(/\bnode ([\w/-]+\.ts)/g)
  expect(programs.length).toBeGreaterThan(5)
  expect(programs.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

/** Scripts that write files, start something, or are part of another script. */
const BY_HAND =
  'build prepack postpack prepublishOnly start release generate fix lint types'

test('the weekly workflow runs every test that is too slow for each commit', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const runs = (path: string) =>
    [...read(path).matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name]) => name)
  const covered = [
    ...BY_HAND.split(' '),
    ...runs('.ci/run'),
    ...runs('.github/workflows/weekly.yml'),
  ]
  expect(Object.keys(scripts).filter((name) => !covered.includes(name))).toEqual([])
  const weekly = read('.github/workflows/weekly.yml')
  const soaks = [...weekly.matchAll(/test\/soak\/run\.ts (.+)/g)].flatMap(([, args = '']) =>
    args.split(' '),
  )
  expect(SOAKS.map(({ name }) => name).filter((name) => !soaks.includes(name))).toEqual([])
  expect(weekly).toMatch(/run: npm run test:slow\n.*run: npm run test:weekly\n/)
})
