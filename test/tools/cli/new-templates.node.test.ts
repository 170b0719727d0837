import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TEMPLATES } from '../../../src/tools/cli/new/templates.ts'
import { VERSION } from '../../../src/tools/emulator/store/package-folder.ts'
import { parseProject } from '../../../src/tools/project/parse-project.ts'
import { cli } from '../../helpers/cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-new-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const make = (...args: readonly string[]) =>
  cli(['new', '--no-install', '--no-git', ...args], { cwd: folder })

describe.each(TEMPLATES)('the template $name', ({ host, data, layers }) => {
  const { secretsFile } = host
  const options = ['--template', host.name, '--data', data.name]
  test('has its values, its own port and its own secrets, which git ignores', async () => {
    expect((await make('one', ...options)).exitCode).toBe(0)
    expect((await make('two', ...options)).exitCode).toBe(0)
    const read = (project: string, file: string) =>
      readFileSync(join(folder, project, file), 'utf8')
    const manifest = JSON.parse(read('one', 'package.json'))
    expect(manifest.name).toBe('one')
    expect(manifest.dependencies.sidecard).toMatch(/^\^\d+\.\d+\.\d+$/)
    expect(Object.keys(manifest.scripts)).toEqual(
      expect.arrayContaining(['dev', 'server', 'test', 'lint', 'typecheck', 'check', 'deploy']),
    )
    expect(JSON.parse(read('one', 'sidecard.json')).template).toBe(`${host.name}@${VERSION}`)
    const port = (project: string) => /localhost:(\d+)/.exec(read(project, 'sidecard.json'))?.[1]
    expect(port('one')).not.toBe(port('two'))
    const file = host.name === 'workers' ? 'wrangler.jsonc' : 'sidecard.json'
    expect(read('one', file)).toContain(port('one'))
    expect(read('one', '.gitignore').split('\n')).toContain(secretsFile)
    const secret = (project: string) =>
      /^SIDECARD_SECRET=(.+)$/m.exec(read(project, secretsFile))?.[1]
    expect(secret('one')).toMatch(/^[\w-]{32}$/)
    expect(secret('one')).not.toBe(secret('two'))
    expect(statSync(join(folder, 'one', secretsFile)).mode & 0o077).toBe(0)
    const paths = readdirSync(join(folder, 'one'), { recursive: true, withFileTypes: true })
    expect(paths.map((entry) => entry.name)).toEqual(
      expect.arrayContaining([
        'AGENTS.md',
        'README.md',
        'ci.yml',
        'tsconfig.json',
        'sidebar.test.ts',
      ]),
    )
    for (const entry of paths.filter((each) => each.isFile())) {
      expect(entry.name).not.toMatch(/^_/)
      const content = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      expect(content).not.toContain('{{')
      // A path of this repository.
      for (const layer of layers) expect(content).not.toContain(`../../${layer}/`)
    }
  })

  test('is small', async () => {
    await make('x', ...options)
    const entries = readdirSync(join(folder, 'x'), { recursive: true, withFileTypes: true })
    const isStored = ({ name }: { readonly name: string }) => /\.snap(?:shot)?$/.test(name)
    const count = ({ parentPath, name }: (typeof entries)[number]) =>
      readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1
    const all = entries.filter((entry) => entry.isFile() && entry.name !== '.gitignore')
    // The test runner writes the payloads that the tests compare.
    const files = all.filter((entry) => !isStored(entry))
    const lines = files.map(count)
    expect(all.filter(isStored).map(count)).toEqual([expect.toSatisfy((stored) => stored <= 75)])
    const hasDatabase = layers.includes('sql')
    expect(files.length).toBeLessThanOrEqual(hasDatabase ? 17 : 14)
    expect(lines.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(hasDatabase ? 550 : 450)
  })

  test('has a project file with two customers and three states', async () => {
    await make('x', ...options)
    const file = readFileSync(join(folder, 'x', 'sidecard.json'), 'utf8')
    const { customers, states, apps } = parseProject({ 'sidecard.json': file })
    expect(customers.map(({ shows }) => shows.length)).toEqual([1, 1])
    expect(states.map(({ sections }) => Object.values(sections))).toEqual([['failed'], [], []])
    expect(apps).toMatchObject([{ name: 'x', command: 'npm run server' }])
  })
})
