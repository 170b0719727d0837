import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { TOKEN_HEADER } from '../../src/tools/emulator/protocol/workspace.ts'

/** The path of the command, from source. */
export const bin = fileURLToPath(new URL('../../src/tools/cli/bin.ts', import.meta.url))

/** Creates a folder that is removed after the test. @param onEnd the hook of a concurrent test */
export function temporaryFolder(onEnd: typeof onTestFinished = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-dev-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A process and its output. */
export interface RunningProcess {
  readonly child: ChildProcess
  readonly exit: Promise<[number | null, string | null]>
  /** Waits until the output contains a text, for at most 100 seconds. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  output(): string
}

/** Without these, wrangler sends requests to the internet when it starts. */
const OFFLINE = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_SEND_METRICS: 'false',
}

/** A program that shows nothing new for so long is stuck. */
const STUCK_MS = 100_000

/** Starts a process and collects its output. It is stopped after the test. */
export function startProcess(
  program: string,
  args: readonly string[],
  options: {
    cwd: string
    env?: Record<string, string>
    detached?: boolean
    input?: boolean
    /** The hook of a concurrent test. */
    onEnd?: typeof onTestFinished
  },
): RunningProcess {
  const { onEnd = onTestFinished } = options
  const child = spawn(program, args, {
    cwd: options.cwd,
    stdio: [options.input === true ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: options.detached === true,
    env: { ...process.env, ...OFFLINE, NO_COLOR: '1', ...options.env },
  })
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>
  onEnd(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await exit
  })
  const { write, output, until } = collectOutput(exit)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', write)
  }
  return { child, exit, output, until }
}

/** Collects the output of a program, and waits for texts in it until the program ends. */
export function collectOutput(ended: Promise<unknown>) {
  let written = ''
  const readers = new Set<() => void>()
  return {
    output: () => written,
    write(text: string) {
      written += text
      for (const read of readers) read()
    },
    until: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const read = () => {
          const match = pattern.exec(written)
          if (match === null) return
          clearTimeout(timer)
          readers.delete(read)
          resolve(match)
        }
        readers.add(read)
        const fail = (what: string) => {
          clearTimeout(timer)
          read()
          reject(new Error(`The program ${what} ${pattern}:\n${written}`))
        }
        const timer = setTimeout(fail, STUCK_MS, 'does not show')
        const end = () => fail('ended without')
        ended.then(end, end)
        read()
      }),
  }
}

/** Runs `sidecard dev` in a folder, as a user does. */
export function startDev(
  folder: string | Parameters<typeof startProcess>[2],
  ...args: readonly string[]
): RunningProcess {
  const options = typeof folder === 'string' ? { cwd: folder } : folder
  return startProcess(process.execPath, [bin, 'dev', '--port', '0', ...args], options)
}

/** The functions of the workspace page. @param onEnd the hook of a concurrent test */
export async function openWorkspace(url: string, onEnd: typeof onTestFinished = onTestFinished) {
  const page = await (await fetch(url)).text()
  const token = /name="sidecard-token" content="(\w+)"/.exec(page)?.[1] ?? ''
  const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' }
  const events = await fetch(`${url}-/events`, { headers })
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
  onEnd(() => void reader?.cancel().catch(() => undefined))
  let unread = ''

  /** Requests the widgets, in the group of an event as the page does. */
  async function openIssue({ group }: { readonly group?: object } = {}): Promise<any> {
    const opened = await fetch(`${url}-/issues/iss_1042/open`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ group }),
    })
    const { widgets } = (await opened.json()) as { widgets: any[] }
    return widgets[0]
  }

  /** Waits for the next event of a type, and returns it. */
  async function next(type: string): Promise<any> {
    for (;;) {
      const [line, event = ''] =
        new RegExp(`^data: (.*"type":"${type}".*)\n`, 'm').exec(unread) ?? []
      if (line !== undefined) {
        unread = unread.slice(unread.indexOf(line) + line.length)
        return JSON.parse(event)
      }
      // oxlint-disable-next-line no-await-in-loop -- one event after another
      const { value, done } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) throw new Error('the events have ended')
      unread += value
    }
  }

  return {
    openIssue,
    /** Calls a control route. */
    send: (method: string, path: string, body?: string) =>
      fetch(`${url}-/${path}`, { method, headers, ...(body !== undefined && { body }) }),
    /** Reads from a control route. */
    async get(path: string): Promise<any> {
      return (await fetch(`${url}-/${path}`, { headers })).json()
    },
    next,
    /** Waits for the event that makes the workspace reload the widgets, and returns it. */
    nextChange: () => next('source_changed'),
    async sidebar(event?: { readonly group?: object }) {
      const { outcome, payload, lastGood } = await openIssue(event)
      return {
        outcome,
        says: payload?.components[0].value,
        before: lastGood?.payload.components[0].value,
      }
    },
  }
}

/** Returns whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** An ended process stays in the list until its parent has noticed, which may take seconds. */
function isZombie(pid: number): boolean {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
