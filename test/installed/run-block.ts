import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Followed } from './claims.ts'
import { environment } from './environment.ts'

/** Commands that do not end, and what they print when they are ready. */
const SERVERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:npm run dev|npm start|(?:npx )?sidecard dev)\b(?!.*--once)/, 'connected '],
  [/^(?:\w+=\S+ )?node (?:.* )?src\/server\.ts$/, 'listening on'],
  [/^(?:bun|deno serve) /, '8787'],
]

const READY_TIMEOUT_SECONDS = 200
const BLOCK_TIMEOUT_MS = 250_000

/** The functions of a script: `start "ready" "command"` starts a server, and waits until its output has a text. */
const FUNCTIONS = `set -e -o pipefail -m
start() {
  log=$(mktemp "$RUN_FOLDER/log-XXXX")
  bash -c "$2" >"$log" 2>&1 </dev/null &
  echo $! >>"$RUN_FOLDER/pids"
  for _ in $(seq ${READY_TIMEOUT_SECONDS * 10}); do
    if grep -qF -- "$1" "$log"; then cat "$log"; return 0; fi
    if ! kill -0 $! 2>/dev/null; then cat "$log"; echo "It ended: $2"; return 1; fi
    sleep 0.1
  done
  cat "$log"; echo "Not ready after ${READY_TIMEOUT_SECONDS} s: $2"; return 1
}
`

/** The output of a shell block, and the servers that it started. */
export interface BlockRun extends Followed {
  /** Stops the servers. */
  stop(): Promise<void>
}

/** Runs the commands of a shell block in one shell, as a reader does. Servers continue until `stop()`. */
export async function runBlock(
  code: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<BlockRun> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-block-'))
  const child = spawn('bash', ['-c', FUNCTIONS + toScript(code)], {
    cwd,
    env: { ...environment(), ...env, RUN_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BLOCK_TIMEOUT_MS,
  })
  let output = ''
  const read = (chunk: string) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', read)
  child.stderr.setEncoding('utf8').on('data', read)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  return {
    code,
    exitCode: exitCode ?? 1,
    output,
    async stop() {
      for (const pid of readPids(folder)) await stopGroup(pid)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Prints each command before it runs, and starts servers in the background. */
function toScript(code: string): string {
  return code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const ready = SERVERS.find(([pattern]) => pattern.test(line))?.[1]
      const command = ready === undefined ? line : `start ${quote(ready)} ${quote(line)}`
      return `echo ${quote(`$ ${line}`)}\n${command}\n`
    })
    .join('')
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function readPids(folder: string): readonly number[] {
  try {
    return readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

/** Interrupts a server and everything that it started, as Ctrl-C does, and waits for the end. */
async function stopGroup(pid: number): Promise<void> {
  const send = (signal: NodeJS.Signals | 0) => {
    try {
      return process.kill(-pid, signal)
    } catch {
      return false
    }
  }
  send('SIGINT')
  for (let waited = 0; waited < 100 && send(0); waited += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  send('SIGKILL')
}
