import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { TEMPLATES } from '../../src/tools/cli/new/templates.ts'
import { INSTALLED_PACKAGE } from './build-package.ts'
import { cli } from './cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * A project from a template. Its packages are links to those of this repository:
 * only the ones that its package.json lists, and the built package.
 */
export interface Scaffold {
  readonly folder: string
  /** Runs a command of the CLI in the project. */
  cli(...args: readonly string[]): ReturnType<typeof cli>
  /** Links the packages that package.json lists, as an installation does. */
  install(): void
  /** Runs npm in the project. */
  npm(args: readonly string[], env?: Readonly<Record<string, string>>): ProgramResult
  /** Runs Node in the project. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): ProgramResult
}

export interface ProgramResult {
  readonly exitCode: number | null
  readonly output: string
}

/** Creates a project that is removed after the test. */
export async function createScaffold(name: string): Promise<Scaffold> {
  const parent = mkdtempSync(join(tmpdir(), 'sidecard-scaffold-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'app')
  const template = TEMPLATES.find((each) => each.name === name)
  const options = ['--template', template?.host.name ?? name, '--data', template?.data.name ?? '']
  const command = ['new', 'app', ...options, '--no-install', '--no-git']
  const created = await cli(command, { cwd: parent })
  if (created.exitCode !== 0) throw new Error(created.stderr)
  const install = () => linkPackages(folder)
  install()
  const run = (
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...createEnvironment(), ...env },
    })
    return { exitCode: status, output: stdout + stderr }
  }
  return {
    folder,
    install,
    cli: (...args) => cli(args, { cwd: folder }),
    npm: (args, env) => run('npm', ['--silent', ...args], env),
    node: (args, env) => run(process.execPath, args, env),
  }
}

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly bin?: string | Readonly<Record<string, string>>
}

const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function linkPackages(folder: string): void {
  const packages = join(folder, 'node_modules')
  rmSync(packages, { recursive: true, force: true })
  mkdirSync(join(packages, '.bin'), { recursive: true })
  const { dependencies, devDependencies } = readManifest(folder)
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const source = name === 'sidecard' ? INSTALLED_PACKAGE : join(root, 'node_modules', name)
    const link = join(packages, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(source, link)
    // Only the slow suites build the package.
    const { bin = {} } = readManifest(name === 'sidecard' ? root : source)
    const commands = typeof bin === 'string' ? { [name]: bin } : bin
    for (const [command, file] of Object.entries(commands)) {
      symlinkSync(join(source, file), join(packages, '.bin', command))
    }
  }
}

/** Returns the environment without the variables of vitest, and with this version of Node. */
export function createEnvironment(): Record<string, string | undefined> {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|NODE_ENV$|NODE_OPTIONS$)/.test(name),
  )
  const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  return {
    ...Object.fromEntries(entries),
    PATH: path,
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
  }
}
