import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { QUERY } from '../contenders/apps.ts'
import { costRow, type Row } from '../statistics.ts'
import { bundleWorker } from '../workers/bundle.ts'
import { compare, type Contender, type HttpRows, type Load } from './http.ts'

export const WORKERS = {
  'bare Hono': 'bench/workers/bare-hono.ts',
  sidecard: 'bench/workers/checked.ts',
  'raw handler': 'bench/workers/raw.ts',
} as const
const NAMES = Object.keys(WORKERS) as (keyof typeof WORKERS)[]

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

/** Throughput on workerd, where nothing may be compiled at run time. */
export async function measureWorkerd(size: 1 | 15, load: Load): Promise<HttpRows> {
  const running = await Promise.all(NAMES.map(startWorker))
  try {
    return await compare(NAMES, running, { ...load, headers: { 'x-size': String(size) } })
  } finally {
    for (const worker of running) worker.close()
  }
}

/** Milliseconds from the start of a fresh workerd to its first answer. */
export async function measureFirstAnswer(rounds: number): Promise<Row[]> {
  const times = NAMES.map((): number[] => [])
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, name] of NAMES.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- in turns, that is the point
      const time = await firstAnswer(name)
      if (round >= 0) times[index]!.push(time)
    }
  }
  return NAMES.map((name, index) => costRow(name, 'ms', times[index]!, times[0]!))
}

async function firstAnswer(name: keyof typeof WORKERS): Promise<number> {
  const folder = await folderOf(name)
  const start = performance.now()
  const { child, url } = await spawnWorkerd(folder)
  const response = await fetch(`${url}/${QUERY}`)
  await response.arrayBuffer()
  const time = performance.now() - start
  child.kill()
  await rm(folder, { recursive: true })
  return time
}

async function startWorker(name: keyof typeof WORKERS): Promise<Contender> {
  const folder = await folderOf(name)
  const { child, url } = await spawnWorkerd(folder)
  return {
    url,
    cpu: () => cpuOf(child.pid!),
    close() {
      child.kill()
      void rm(folder, { recursive: true })
    },
  }
}

async function folderOf(name: keyof typeof WORKERS): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-bench-'))
  await writeFile(join(folder, 'config.capnp'), CONFIG)
  await writeFile(join(folder, 'worker.js'), (await bundleWorker(WORKERS[name])).code)
  return folder
}

async function spawnWorkerd(folder: string): Promise<{ child: ChildProcess; url: string }> {
  // Its own binary, without the Node program that finds it.
  const { default: binary } = createRequire(import.meta.url)('workerd') as { default: string }
  const config = join(folder, 'config.capnp')
  const child = spawn(binary, ['serve', config, '--control-fd=1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { port } = JSON.parse(line) as { port: number }
  return { child, url: `http://127.0.0.1:${port}` }
}

/** Linux alone tells the CPU time of another process so simply; elsewhere it is not shown. */
async function cpuOf(pid: number): Promise<number> {
  try {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return Number.NaN
  }
}
