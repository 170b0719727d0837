import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A clean folder outside the repository that contains the packed tarball. */
export interface TestProject {
  readonly folder: string
  readonly tarball: string
  /** Runs a program and returns its output, even if it fails. */
  run(
    cwd: string,
    program: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ exitCode: number; output: string }>
  /** Starts a server and waits until its output matches. */
  start(
    cwd: string,
    program: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    ready: RegExp,
  ): Promise<RegExpExecArray>
  /** Stops all started servers. */
  stop(): Promise<void>
  remove(): void
}

/** Packs the package as `npm publish` does. */
export async function createTestProject(): Promise<TestProject> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-e2e-'))
  const started: ChildProcess[] = []
  const run: TestProject['run'] = (cwd, program, args, env = {}) =>
    promisify(execFile)(program, [...args], {
      cwd,
      env: { ...environment(), ...env },
      maxBuffer: 64e6,
    }).then(
      ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
      (error: { code?: number; stdout: string; stderr: string }) => ({
        exitCode: error.code ?? 1,
        output: error.stdout + error.stderr,
      }),
    )
  const packed = await run(root, 'npm', ['pack', '--silent', '--pack-destination', folder])
  const name = packed.output.match(/sidecard-[\w.-]+\.tgz/)?.[0]
  if (name === undefined) throw new Error(`npm pack failed:\n${packed.output}`)
  return {
    folder,
    tarball: join(folder, name),
    run,
    start(cwd, program, args, env, ready) {
      const child = spawn(program, [...args], {
        cwd,
        env: { ...environment(), ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      started.push(child)
      return new Promise((resolve, reject) => {
        let output = ''
        const read = (chunk: string) => {
          output += chunk
          const found = ready.exec(output)
          if (found !== null) resolve(found)
        }
        child.stdout.setEncoding('utf8').on('data', read)
        child.stderr.setEncoding('utf8').on('data', read)
        child.on('error', reject)
        child.on('exit', (code) => reject(new Error(`it exited with ${code}:\n${output}`)))
      })
    },
    async stop() {
      for (const child of started.splice(0)) {
        const hasEnded = child.exitCode !== null || child.signalCode !== null
        if (hasEnded || child.pid === undefined) continue
        process.kill(-child.pid, 'SIGTERM')
        // oxlint-disable-next-line no-await-in-loop -- the next one may need the port
        await once(child, 'exit')
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Returns the environment without the variables of npm and vitest. */
function environment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|CI$)/.test(name),
  )
  return { ...(Object.fromEntries(kept) as Record<string, string>), NO_COLOR: '1', CI: '1' }
}
