import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { INSTALLED_PACKAGE } from '../helpers/build-package.ts'
import { environment } from '../installed/environment.ts'
import { runOrThrow, runProgram } from '../installed/run-program.ts'

/** The environment of an npm script: that of a user, with the programs of the project. */
function scriptEnvironment(cwd: string): Record<string, string> {
  const env = environment()
  const folders = [cwd, dirname(cwd), dirname(dirname(cwd))]
  const programs = folders.map((each) => join(each, 'node_modules/.bin'))
  return { ...env, PATH: [...programs, env['PATH']].join(delimiter) }
}

/** Runs a program as an npm script does. */
export const run: typeof runProgram = (cwd, program, args, env) =>
  runProgram(cwd, program, args, { ...scriptEnvironment(cwd), ...env })

/** A new project with the packed package and others. */
export interface Project {
  readonly folder: string
  readonly tarball: string
  remove(): void
}

/** Packs the built package, and installs it with others in a new folder. */
export async function createProject(packages: readonly string[]): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-stack-'))
  const options = ['--silent', '--ignore-scripts', '--pack-destination', folder]
  await runOrThrow(INSTALLED_PACKAGE, 'npm', ['pack', ...options])
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? ''
  const tarball = join(folder, name)
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
    env: { ...scriptEnvironment(cwd), ...env },
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
    /** Stops the server as a host does, and waits until it has ended. */
    async stop(): Promise<void> {
      process.kill(-child.pid!, 'SIGTERM')
      await exited
    },
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
