import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Part, table } from '../page.ts'
import { inTurns } from '../samples.ts'
import { QUERY } from '../stacks.ts'
import { bundleWorker } from '../workers/bundle.ts'

const STARTED = {
  hono: 'bench/workers/bare-hono.ts',
  sidecard: 'bench/workers/with-builders.ts',
} as const

const SIZED = {
  'bare Hono, unchecked': STARTED.hono,
  'Sidecard: a card with the usual components, behind a secret': 'bench/workers/sidecard.ts',
  'the same with a `sectionCache()` and `memoryStore()`': 'bench/workers/cached.ts',
  'a new project on Workers': 'templates/workers/src/index.ts',
} as const

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

/** Measures Workers as they are uploaded: minified and gzipped, Hono included. */
export async function measureSizes(): Promise<Part> {
  const rows = await Promise.all(
    Object.entries(SIZED).map(async ([name, entry]) => [
      name,
      (await bundleWorker(entry)).gzippedBytes.toLocaleString('en'),
    ]),
  )
  return {
    goals: [],
    section: `## Size of a Worker

Minified and gzipped, Hono included. A test limits them.

${table(['Worker', 'Bytes'], rows)}`,
  }
}

/** Milliseconds from the start of a new workerd process to its first response. */
export async function measureFirstResponse(
  rounds: number,
): Promise<Record<keyof typeof STARTED, number>> {
  const [hono, sidecard] = await Promise.all([
    writeWorker(STARTED.hono),
    writeWorker(STARTED.sidecard),
  ])
  try {
    return await inTurns(
      { hono: () => timeFirstResponse(hono), sidecard: () => timeFirstResponse(sidecard) },
      rounds,
      1,
    )
  } finally {
    await Promise.all([hono, sidecard].map((folder) => rm(folder, { recursive: true })))
  }
}

async function timeFirstResponse(folder: string): Promise<number> {
  const start = performance.now()
  const { child, url } = await spawnWorkerd(folder)
  await (await fetch(`${url}/${QUERY}`)).arrayBuffer()
  const time = performance.now() - start
  child.kill()
  return time
}

async function writeWorker(entry: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sidecard-bench-'))
  await writeFile(join(folder, 'config.capnp'), CONFIG)
  await writeFile(join(folder, 'worker.js'), (await bundleWorker(entry)).code)
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
