import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program and returns its output, even if it fails. */
export function run(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ exitCode: number; output: string }> {
  return promisify(execFile)(program, [...args], {
    cwd,
    env: environment(cwd, env),
    maxBuffer: 64e6,
  }).then(
    ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
    (error: { code?: unknown; stdout: string; stderr: string }) => ({
      exitCode: typeof error.code === 'number' ? error.code : 1,
      output: error.stdout + error.stderr,
    }),
  )
}

async function runOrThrow(...call: Parameters<typeof run>): Promise<string> {
  const { exitCode, output } = await run(...call)
  if (exitCode !== 0) throw new Error(`${call[1]} ${call[2].join(' ')}:\n${output}`)
  return output
}

/** Returns whether packages can be installed. Tests that need it are skipped otherwise. */
export async function hasRegistry(): Promise<boolean> {
  const { exitCode } = await run(tmpdir(), 'npm', ['view', 'hono', 'version', '--fetch-retries=0'])
  return exitCode === 0
}

/** A new project with the packed package and others. */
export interface Project {
  readonly folder: string
  readonly tarball: string
  remove(): void
}

/**
 * Packs the package and installs it with others in a new folder. It is built in a
 * separate folder, because other tests use `dist` at the same time.
 */
export async function createProject(packages: readonly string[]): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-stack-'))
  const staging = join(folder, 'staging')
  mkdirSync(staging)
  for (const name of ['package.json', 'schema', 'templates', 'recipes']) {
    cpSync(join(root, name), join(staging, name), { recursive: true })
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'src/tsconfig.build.json', '--outDir', join(staging, 'dist')]
  await runOrThrow(root, process.execPath, [compiler, ...options])
  await runOrThrow(staging, 'npm', ['pack', '--silent', '--ignore-scripts'])
  const name = readdirSync(staging).find((each) => each.endsWith('.tgz')) ?? ''
  const tarball = join(staging, name)
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  const quiet = ['--no-audit', '--no-fund']
  await runOrThrow(project, 'npm', ['install', ...quiet, tarball, ...packages])
  return {
    folder: project,
    tarball,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Starts a server, and stops it at the end of the test. Its output is in the error if it exits. */
export function startServer(
  cwd: string,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const child: ChildProcess = spawn(program, args, {
    cwd,
    env: environment(cwd, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGTERM')
    await exited
  })
  return {
    output: () => output,
    /** Waits until the server responds. */
    async ready(url: string): Promise<void> {
      for (;;) {
        if (child.exitCode !== null) throw new Error(`It exited with ${child.exitCode}:\n${output}`)
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        const response = await fetch(url).catch(() => undefined)
        if (response !== undefined) return
        // oxlint-disable-next-line no-await-in-loop -- as above
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}

/** The environment of a user: this Node, the programs of the project, and no variable of the repository. */
function environment(cwd: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(?:npm_(?!config_registry)|VITEST|NODE_ENV$|NODE_OPTIONS$|CI$|SIDECARD_)/i.test(name),
  )
  const path = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((each) => !each.includes('node_modules'))
  const folders = [cwd, dirname(cwd), dirname(dirname(cwd))]
  const programs = folders.map((each) => join(each, 'node_modules/.bin'))
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: [dirname(process.execPath), ...programs, ...path].join(delimiter),
    NO_COLOR: '1',
    ...env,
  }
}
