import { mkdtempSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startProcess } from '../helpers/dev-command.ts'
import { waitUntilItAccepts } from '../helpers/wait-until-it-accepts.ts'
import { environment } from './environment.ts'
import { installed } from './project.ts'
import { runOrThrow, runProgram } from './run-program.ts'

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

/** Installs the packed package with others in a new project, and returns its folder. */
export async function createProject(packages: readonly string[]): Promise<string> {
  const { folder, tarball } = installed()
  const project = mkdtempSync(join(folder, 'stack-'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
  await runOrThrow(project, 'npm', ['install', '--no-audit', '--no-fund', tarball, ...packages])
  return project
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
