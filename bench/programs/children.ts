import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program of this folder with a Node, and returns the JSON that it writes. */
export async function runProgram<Result>(
  program: string,
  args: readonly (string | number)[],
  { node = process.execPath, flags = [] }: { node?: string; flags?: readonly string[] } = {},
): Promise<Result> {
  const path = new URL(program, import.meta.url).pathname
  const { stdout } = await run(node, [...flags, path, ...args.map(String)])
  return JSON.parse(stdout) as Result
}

/** A server in its own process, so that the load does not count as its CPU time. */
export interface ServerProcess {
  readonly url: string
  /** Returns its CPU time since its start, in microseconds. */
  cpuMicroseconds(): Promise<number>
  close(): void
}

/** Starts `server.ts`. */
export async function startServer(args: readonly string[]): Promise<ServerProcess> {
  const path = new URL('server.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const exited = once(child, 'exit').then(() => {
    throw new Error(`server.ts ${args.join(' ')} ended.`)
  })
  exited.catch(() => undefined)
  const readLine = async () => ((await Promise.race([once(lines, 'line'), exited])) as [string])[0]
  return {
    url: await readLine(),
    async cpuMicroseconds() {
      child.stdin.write('\n')
      return Number(await readLine())
    },
    close: () => child.stdin.end(),
  }
}
