import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { cli } from './cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A project from a template, with the packages of this repository and the source of sidecard. */
export interface Scaffold {
  readonly folder: string
  /** Runs a command of the CLI in the project. */
  cli(...args: readonly string[]): ReturnType<typeof cli>
  /** Type-checks the project. @returns the output of the compiler; empty if there are no errors */
  typeCheck(): string
  /** Runs test files of the project. @returns the exit code and the output */
  test(files: readonly string[]): ProgramResult
  /** Runs Node in the project, with the source of sidecard. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): ProgramResult
}

export interface ProgramResult {
  readonly exitCode: number | null
  readonly output: string
}

/** The source files of `sidecard` and its entries. */
export const SOURCE_ENTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['sidecard', ''],
    ['sidecard/schema', 'contract'],
    ['sidecard/testing', 'service'],
    ...['actions', 'cache', 'node', 'client', 'emulator', 'check'].map((name) => [
      `sidecard/${name}`,
      name,
    ]),
  ].map(([name = '', folder = '']) => [name, join(root, 'src', folder, 'index.ts')]),
)

/** Creates a project that is removed after the test. */
export async function createScaffold(template: string): Promise<Scaffold> {
  const parent = mkdtempSync(join(tmpdir(), 'sidecard-scaffold-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'app')
  const options = ['--template', template, '--no-install', '--no-git']
  const { exitCode, stderr } = await cli(['new', 'app', ...options], { cwd: parent })
  if (exitCode !== 0) throw new Error(stderr)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const isWorker = existsSync(join(folder, 'wrangler.jsonc'))
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment(), NO_COLOR: '1', ...env },
    })
    return { exitCode: status, output: stdout + stderr }
  }
  const hook = new URL('use-source.ts', import.meta.url).href
  return {
    folder,
    cli: (...args) => cli(args, { cwd: folder }),
    typeCheck() {
      const paths = Object.fromEntries(
        Object.entries(SOURCE_ENTRIES).map(([name, path]) => [name, [path]]),
      )
      // The source requires the types of Node, which a Worker's project does not have.
      const types = ['node', '@cloudflare/workers-types']
      const config = {
        extends: './tsconfig.json',
        compilerOptions: {
          paths,
          ...(isWorker && { types }),
          lib: ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
          jsx: 'react-jsx',
          jsxImportSource: 'preact',
        },
        include: ['src', 'test'],
      }
      writeFileSync(join(folder, 'tsconfig.test.json'), JSON.stringify(config))
      return run([join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.test.json']).output
    },
    test(files) {
      return isWorker ? runVitest(files) : run(['--import', hook, '--test', ...files])
    },
    node: (args, env) => run(['--import', hook, ...args], env),
  }

  function runVitest(files: readonly string[]): ProgramResult {
    const alias = Object.entries(SOURCE_ENTRIES)
      .map(([name, path]) => `{ find: /^${name.replace('/', '\\/')}$/, replacement: '${path}' }`)
      .join(', ')
    const config = `export default { resolve: { alias: [${alias}] } }\n`
    writeFileSync(join(folder, 'vitest.config.js'), config)
    return run([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files])
  }
}

/** Returns the environment without the variables of vitest. */
function environment(): Record<string, string | undefined> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter(([name]) => !/^(?:VITEST|NODE_)/.test(name)))
}
