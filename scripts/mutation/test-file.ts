import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { addResult, readResults } from './plan.ts'

/** A mutant that takes this long, and this many times longer than usual, counts as endless. */
const SILENCE_MS = 20_000
const SILENCE_FACTOR = 10

const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url))

/** Runs a test file with each mutant of the plan that it covers and that no earlier file noticed. */
export async function runTestFile(folder: string, file: string): Promise<void> {
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, MUTATION_FOLDER: folder, MUTATION_TEST: file },
  })
  await waitForExit(child, folder)
  const last = readResults(folder).at(-1)
  if (last?.status !== 'started' || last.file !== file) return
  addResult(folder, { mutant: last.mutant, status: 'ended', file })
  await runTestFile(folder, file)
}

/** Waits for a process. Ends it if a mutant hangs. */
async function waitForExit(child: ChildProcess, folder: string): Promise<void> {
  let lines = readResults(folder).length
  let changedAtMs = performance.now()
  const timer = setInterval(() => {
    const results = readResults(folder)
    if (results.length !== lines) changedAtMs = performance.now()
    lines = results.length
    const last = results.at(-1)
    if (last?.status !== 'started') return
    const { usualMs = 0 } = last
    if (performance.now() - changedAtMs < SILENCE_MS + SILENCE_FACTOR * usualMs) return
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, 1_000)
  await once(child, 'exit')
  clearInterval(timer)
}
