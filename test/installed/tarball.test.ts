import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENTRIES } from '../../scripts/package-entries.ts'
import { draw } from '../helpers/draw.ts'
import { hasRegistry, installed } from './project.ts'
import { root } from './root.ts'
import { runOrThrow, runProgram } from './run-program.ts'

let project = ''

beforeAll(async () => {
  if (!hasRegistry) return
  const { folder, tarball } = installed()
  project = join(folder, 'consumer')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  const options = ['--no-audit', '--no-fund', '--install-links']
  await runOrThrow(project, 'npm', ['install', ...options, tarball])
})

/** The modules of the package: its entries, and the two of the command. */
const MODULES = [...ENTRIES.map(([, , out]) => out), 'cli/process', 'cli/bin'].map(
  (out) => `dist/${out}.js`,
)

describe.skipIf(!hasRegistry)('the tarball', () => {
  test('contains the modules and their types, the pages and the files of the golden list', async () => {
    const { output } = await runProgram(project, 'tar', ['-tzf', installed().tarball])
    const packed = output
      .trim()
      .split('\n')
      // The names of chunks have a hash.
      .map((path) => path.replace(/^package\//, '').replace(/-[A-Z\d]{8}\.js$/, '-*.js'))
      .map((path) => path.replace(/^dist\/chunks\/.*/, 'dist/chunks/*'))
      // Below, a consumer compiles without skipLibCheck, so no type is missing.
      .map((path) => path.replace(/^dist\/.*\.d\.ts$/, 'dist/*.d.ts'))
    const golden = readFileSync(new URL('tarball.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n')
    const pages = readdirSync(join(root, 'docs'), { recursive: true })
      .map((path) => `docs/${String(path)}`)
      .filter((path) => path.endsWith('.md') && path !== 'docs/architecture.md')
    const recipes = readdirSync(join(root, 'recipes'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
    const expected = [...golden, ...pages, ...recipes, ...MODULES]
    expect([...new Set(packed)].toSorted()).toEqual(expected.toSorted())
  })

  test('has no install script, and no path or host of this machine', async () => {
    const folder = join(project, 'node_modules/sidecard')
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(scripts[name]).toBeUndefined()
    }
    const { output } = await runProgram(folder, 'grep', ['-rlF', root, '.'])
    expect(output).toBe('')
  })

  test('installs at most 15 packages in addition to hono and zod', () => {
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean }>
    }
    const names = Object.keys(lock.packages).filter(
      (path) => path !== '' && !/(?:^|\/)(?:sidecard|hono|zod)$/.test(path),
    )
    expect(names.length).toBeLessThanOrEqual(15)
    expect(Object.values(lock.packages).some(({ hasInstallScript }) => hasInstallScript)).toBe(
      false,
    )
  })
})

describe.skipIf(!hasRegistry)('npm create sidecard', () => {
  const create = (...args: readonly string[]) => {
    const folder = join(project, 'node_modules/create-sidecard')
    cpSync(join(root, 'scripts/create-sidecard'), folder, { recursive: true })
    return runProgram(project, process.execPath, [join(folder, 'index.js'), ...args])
  }

  test('creates an app, as sidecard new does', async () => {
    const { exitCode, output } = await create('billing-card', '--yes', '--no-install', '--no-git')
    expect([exitCode, output]).toEqual([0, expect.stringContaining('cd billing-card')])
    expect(existsSync(join(project, 'billing-card/package.json'))).toBe(true)
  })

  test('returns its exit code', async () => {
    const { exitCode, output } = await create('../elsewhere', '--yes')
    expect([exitCode, output]).toEqual([2, expect.stringContaining('sidecard new: Use 1 to 63')])
  })
})

const consumer = new URL('consumer-program.ts', import.meta.url)

describe.skipIf(!hasRegistry)(
  'a consumer that emits declarations compiles without skipLibCheck',
  () => {
    const compilers = ['typescript-5', 'typescript-6', 'typescript']
    const resolutions = [
      ['NodeNext', 'NodeNext'],
      ['ESNext', 'Bundler'],
    ]

    beforeAll(() => cpSync(consumer, join(project, 'index.ts')))

    test.concurrent.each(
      compilers.flatMap((compiler) =>
        draw(resolutions, 1, compiler).map((each) => [compiler, ...each]),
      ),
    )('on %s, module %s and resolution %s', async (compiler, module, moduleResolution) => {
      const name = `${compiler}-${module}`
      const config = join(project, `tsconfig.${name}.json`)
      writeFileSync(
        config,
        JSON.stringify({
          compilerOptions: {
            module,
            moduleResolution,
            target: 'ES2023',
            strict: true,
            declaration: true,
            emitDeclarationOnly: true,
            outDir: `types-${name}`,
            lib: ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
            skipLibCheck: false,
            exactOptionalPropertyTypes: true,
            types: ['node'],
            typeRoots: [join(root, 'node_modules/@types')],
          },
          files: ['index.ts'],
        }),
      )
      const tsc = join(root, 'node_modules', compiler ?? '', 'bin/tsc')
      const { output } = await runProgram(project, process.execPath, [tsc, '-p', config])
      expect(output).toBe('')
      // TypeScript 7 writes a path into the package for a type that is not exported, without an error.
      const written = readFileSync(join(project, `types-${name}`, 'index.d.ts'), 'utf8')
      const modules = [...written.matchAll(/(?:from |import\()["']([^"']+)["']/g)].map(
        ([, from]) => from,
      )
      expect(modules.length).toBeGreaterThan(5)
      expect(modules.filter((from) => /dist\/|^\.|node_modules/.test(from ?? ''))).toEqual([])
    })
  },
)
