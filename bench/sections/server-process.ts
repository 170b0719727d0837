import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Usage } from '../candidates/report-usage.ts'

/** A server in its own process, so that the load does not count as its CPU time. */
export interface ServerProcess {
  readonly url: string
  usage(): Promise<Usage>
  close(): void
}

/** Starts a program of bench/candidates that calls `reportUsage()`. */
export async function startServer(
  program: 'server.ts' | 'slow-server.ts',
  args: readonly string[],
): Promise<ServerProcess> {
  const path = new URL(`../candidates/${program}`, import.meta.url).pathname
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`${program} ${args.join(' ')} ended.`)
  })
  exited.catch(() => undefined)
  const readLine = async () => ((await Promise.race([once(lines, 'line'), exited])) as [string])[0]
  const url = await readLine()
  return {
    url,
    async usage() {
      child.stdin.write('usage\n')
      return JSON.parse(await readLine()) as Usage
    },
    close: () => child.stdin.end(),
  }
}
