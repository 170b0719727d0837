import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { findFreePort } from './free-port.ts'

const REDIS_SERVER = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(existsSync)

/** The reason why tests with a real Redis cannot run on this machine, if any. */
export const noRedis =
  REDIS_SERVER === undefined
    ? 'redis-server is not installed: apt-get install redis-server'
    : undefined

export interface RedisServer extends AsyncDisposable {
  readonly url: string
  /** Stops and continues the process, so that commands hang. */
  pause(): void
  resume(): void
}

/** Starts a Redis on a free port, without persistence. */
export async function startRedis(): Promise<RedisServer> {
  const port = await findFreePort()
  const child = spawn(
    REDIS_SERVER ?? 'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await untilReady(child)
  return {
    url: `redis://127.0.0.1:${port}`,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function untilReady(child: ChildProcess): Promise<void> {
  let output = ''
  for await (const chunk of child.stdout!) {
    output += String(chunk)
    if (output.includes('Ready to accept connections')) break
  }
  if (!output.includes('Ready')) throw new Error(`redis-server did not start: ${output}`)
}
