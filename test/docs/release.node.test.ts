import { spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SOAKS } from '../soak/soaks.ts'
import { root } from '../installed/root.ts'

const read = (path: string, folder = root) => readFileSync(join(folder, path), 'utf8')
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: root })

const FILES = [
  '.github/actions/check/action.yml',
  'CHANGELOG.md',
  'README.md',
  'docs/get-started.md',
  'package-lock.json',
  'package.json',
  'scripts/create-sidecard/package.json',
]

/** Copies the files that a release changes or checks. */
function copyFiles(edit: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const path of FILES) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), edit(read(path)))
  }
  return folder
}

/** Runs a script of the repository, and returns its exit code and messages. */
function runScript(name: string, ...args: readonly string[]) {
  const script = join(root, 'scripts', name)
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, stderr }
}

const NEXT = '999.0.0'

test('a release raises the version everywhere, and gives it to the unreleased changes', () => {
  const folder = copyFiles((text) =>
    text.replace('# Changelog\n', '# Changelog\n\n## Unreleased\n\n- A fix.\n'),
  )
  expect(runScript('version.ts', NEXT, folder)).toEqual({ status: 0, stderr: '' })

  expect(read('CHANGELOG.md', folder)).toMatch(/^# Changelog\n\n## 999\.0\.0\n\n- A fix\.\n/)
  expect(JSON.parse(read('package.json', folder))).toMatchObject({ version: NEXT })
  expect(JSON.parse(read('scripts/create-sidecard/package.json', folder))).toMatchObject({
    version: NEXT,
    dependencies: { sidecard: `^${NEXT}` },
  })
  const lock = JSON.parse(read('package-lock.json', folder)) as {
    version: string
    packages: Record<string, { version: string }>
  }
  expect([lock.version, lock.packages['']?.version]).toEqual([NEXT, NEXT])
  expect(read('.github/actions/check/action.yml', folder)).toContain(`default: ${NEXT}\n`)
  expect(read('README.md', folder)).toContain(`sidecard-${NEXT}.tgz`)
})

test('a release without changes in the changelog fails, and writes nothing', () => {
  const folder = copyFiles((text) => text.replace('## Unreleased', '## Earlier'))
  expect(runScript('version.ts', NEXT, folder)).toEqual({
    status: 1,
    stderr: expect.stringContaining('CHANGELOG.md has no changes under "Unreleased".'),
  })
  for (const path of FILES) expect(read(path, folder)).not.toContain(NEXT)
})

test('both packages have the same version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  expect(JSON.parse(read('scripts/create-sidecard/package.json'))).toMatchObject({
    version,
    dependencies: { sidecard: `^${version}` },
  })
})

test('a release fails until both packages name the repository, and no page says that nothing is published', () => {
  const published = (text: string) =>
    text.replaceAll(/not published yet|the package is published/gi, 'it rains')
  const named = (text: string) =>
    published(text).replace(
      '"type": "module",',
      '"type": "module", "repository": { "url": "git+https://git.acme.test/sidecard.git" }, "homepage": "https://acme.test", "bugs": "https://acme.test/bugs",',
    )
  const check = (edit: (text: string) => string) => runScript('check-release.ts', copyFiles(edit))

  const { status, stderr } = check((text) => text)
  expect(status).toBe(1)
  expect(stderr.trim().split('\n')).toEqual([
    'Before a release:',
    ...['package.json', 'scripts/create-sidecard/package.json'].flatMap((file) =>
      ['repository', 'homepage', 'bugs'].map((name) =>
        expect.stringMatching(new RegExp(`^${file}: add "${name}": .*HOST`)),
      ),
    ),
    expect.stringMatching(/^README\.md: remove /),
    expect.stringMatching(/^docs\/get-started\.md: remove /),
  ])
  expect(check(published).stderr).not.toContain('.md: ')
  expect(check(named)).toEqual({ status: 0, stderr: '' })
  const without = check((text) => named(text).replace('"bugs":', '"bug":'))
  expect([without.status, without.stderr]).toEqual([1, expect.stringContaining('add "bugs"')])
})

test('the release workflow publishes with provenance and without a token, and keeps the list of packages', () => {
  const release = read('.github/workflows/release.yml')
  expect(release).toContain('id-token: write')
  expect(release).toMatch(/\n {4}env:\n {6}NPM_CONFIG_PROVENANCE: 'true'\n/)
  expect(release.match(/\bnpm publish\b/g)).toHaveLength(2)
  expect(release).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/)
  expect(release).toContain('npm audit signatures')
  expect(release).toContain('npm sbom --omit dev')
})

test('the release workflow and npm publish check the release first', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(read('.github/workflows/release.yml')).toContain('run: node scripts/check-release.ts\n')
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
const BY_HAND = 'build prepack postpack prepublishOnly start generate fix lint types'

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
  expect(weekly).toMatch(/run: npm run test:weekly\n.*run: DRAW=all npm run test:installed\n/)
})
