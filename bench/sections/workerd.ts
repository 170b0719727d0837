import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BASELINE, BUILDERS, LITERALS, QUERY } from '../candidates/apps.ts'
import type { Size } from '../candidates/payloads.ts'
import { costRow, type Row } from '../statistics.ts'
import { bundleWorker } from '../workers/bundle.ts'
import { type Candidate, compare, type HttpRows, type Load } from './http.ts'

/** The Workers by name. The first one is the baseline. */
const WORKERS: Readonly<Record<string, string>> = {
  [BASELINE]: 'bench/workers/bare-hono.ts',
  [LITERALS]: 'bench/workers/with-literals.ts',
  [BUILDERS]: 'bench/workers/with-builders.ts',
  'raw handler': 'bench/workers/raw.ts',
}
const NAMES = Object.keys(WORKERS)

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-09-01",
);
`

/** Loads the Workers in turns, at one size. */
export async function measureWorkerd(size: Size, load: Load): Promise<HttpRows> {
  const candidates = await Promise.all(NAMES.map(startWorker))
  try {
    return await compare(NAMES, candidates, { ...load, headers: { 'x-size': String(size) } })
  } finally {
    for (const candidate of candidates) candidate.close()
  }
}

/** Milliseconds from the start of a new workerd process to its first response. */
export async function measureFirstResponse(rounds: number): Promise<Row[]> {
  const folders = await Promise.all(NAMES.map(writeWorker))
  const times = NAMES.map((): number[] => [])
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, folder] of folders.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const time = await timeFirstResponse(folder)
      if (round >= 0) times[index]!.push(time)
    }
  }
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
  return NAMES.map((name, index) => costRow(name, 'ms', times[index]!, times[0]!))
}

async function timeFirstResponse(folder: string): Promise<number> {
  const start = performance.now()
  const { child, url } = await spawnWorkerd(folder)
  const response = await fetch(`${url}/${QUERY}`)
  await response.arrayBuffer()
  const time = performance.now() - start
  child.kill()
  return time
}

async function startWorker(name: string): Promise<Candidate> {
  const folder = await writeWorker(name)
  const { child, url } = await spawnWorkerd(folder)
  return {
    url,
    cpu: () => readCpu(child.pid!),
    close() {
      child.kill()
      void rm(folder, { recursive: true })
    },
  }
}

async function writeWorker(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-bench-'))
  await writeFile(join(folder, 'config.capnp'), CONFIG)
  await writeFile(join(folder, 'worker.js'), (await bundleWorker(WORKERS[name]!)).code)
  return folder
}

async function spawnWorkerd(folder: string): Promise<{ child: ChildProcess; url: string }> {
  // The binary itself, not the Node program that starts it.
  const { default: binary } = createRequire(import.meta.url)('workerd') as { default: string }
  const config = join(folder, 'config.capnp')
  const child = spawn(binary, ['serve', config, '--control-fd=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { port } = JSON.parse(line) as { port: number }
  return { child, url: `http://127.0.0.1:${port}` }
}

/** Reads CPU time in microseconds. Only Linux has it in a file; elsewhere it is not shown. */
async function readCpu(pid: number): Promise<number> {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return Number.NaN
  }
}
