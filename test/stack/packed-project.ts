import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { INSTALLED_PACKAGE } from '../helpers/build-package.ts'
import { onTestFinished } from 'vitest'
import { startProcess } from '../helpers/dev-command.ts'
import { environment } from '../installed/environment.ts'
import { runOrThrow, runProgram } from '../installed/run-program.ts'
import { waitUntilItAccepts } from './running-host.ts'

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

/** Starts a server until the end of the test, and waits until it responds. */
export async function startServer(
  cwd: string,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<void> {
  const options = { cwd, env: { ...scriptEnvironment(cwd), ...env }, detached: true }
  const server = startProcess(program, args, options)
  onTestFinished(() => {
    // npm does not pass signals on.
    if (server.child.exitCode === null) process.kill(-server.child.pid!, 'SIGTERM')
  })
  await waitUntilItAccepts(() => fetch(url), server)
}
