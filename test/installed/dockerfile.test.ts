import { cpSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { draw } from '../helpers/draw.ts'
import { findFreePort } from '../helpers/free-port.ts'
import { findPostgres, startPostgres } from '../helpers/postgres.ts'
import { hasRegistry, installed, openPlace, takeTurns } from './project.ts'
import { runBlock } from './run-block.ts'
import { runOrThrow, runProgram } from './run-program.ts'

takeTurns()

/** What an image runs. */
interface Image {
  /** The working folder of the last stage. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly command: string
  readonly healthCheck: string
}

/**
 * Executes the instructions of a Dockerfile in a folder, because CI has no
 * container engine. The programs of the base images and the user are those of this
 * machine.
 */
async function build(project: string): Promise<Image> {
  const folder = mkdtempSync(join(installed().folder, 'image-'))
  const text = readFileSync(join(project, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  const env: Record<string, string> = {}
  let [stage, cwd, command, healthCheck] = [folder, folder, '', '']
  for (const [, name, rest = ''] of text.matchAll(/^([A-Z]+) (.+)$/gm)) {
    if (name === 'FROM') stage = join(folder, / AS (\w+)/.exec(rest)?.[1] ?? 'last')
    else if (name === 'WORKDIR') mkdirSync((cwd = join(stage, rest)), { recursive: true })
    else if (name === 'COPY') {
      const [, from, paths = ''] = /^(?:--from=(\w+) )?(.+)$/.exec(rest) ?? []
      copy(from === undefined ? project : join(folder, from), cwd, paths.split(/\s+/))
    } else if (name === 'RUN') {
      const local = rest.replaceAll(/ \/(?=\w)/g, ` ${stage}/`).replaceAll(/chown \S+/g, 'ls -d')
      // oxlint-disable-next-line no-await-in-loop -- one instruction after the other
      await runInstruction(cwd, local)
    } else if (name === 'ENV') {
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) {
        env[key] = value.startsWith('/') ? join(stage, value) : value
      }
    } else if (name === 'CMD') command = (JSON.parse(rest) as string[]).join(' ')
    else if (name === 'HEALTHCHECK') healthCheck = /"http:\/\/[^/]+(\/\w+)"/.exec(rest)?.[1] ?? ''
    else if (!['USER', 'EXPOSE', 'VOLUME'].includes(name ?? '')) throw new Error(`${name}?`)
  }
  return { cwd, env, command, healthCheck }
}

/** Some registry mirrors lack packages of other platforms, so `npm ci` rejects a lock file from there. */
const INCOMPLETE_LOCK_FILE = /Missing: @[\w-]+\/binding-/

async function runInstruction(cwd: string, command: string): Promise<void> {
  const { exitCode, output } = await runProgram(cwd, 'sh', ['-c', command])
  if (exitCode === 0) return
  if (!INCOMPLETE_LOCK_FILE.test(output)) throw new Error(output)
  await runOrThrow(cwd, 'sh', ['-c', command.replace('npm ci', 'npm install')])
}

/** Copies like COPY: the last path is the target, and a folder is replaced by its content. */
function copy(from: string, cwd: string, paths: readonly string[]): void {
  const target = join(cwd, paths.at(-1) ?? '')
  for (const pattern of paths.slice(0, -1)) {
    const found = globSync(pattern.replace(/^\//, ''), { cwd: from })
    if (found.length === 0) throw new Error(`COPY: there is no ${pattern}.`)
    for (const path of found) {
      const isInto = paths.at(-1)?.endsWith('/') === true
      const to = isInto ? join(target, basename(path)) : target
      mkdirSync(dirname(to), { recursive: true })
      cpSync(join(from, path), to, { recursive: true, verbatimSymlinks: true })
    }
  }
}

/** Runs the command of an image, and returns the status of its health check and of a data fetch. */
async function run({ cwd, env, command, healthCheck }: Image, more: Record<string, string>) {
  const port = String(await findFreePort())
  const all = { ...env, PORT: port, SIDECARD_SECRET: 'secret', ...more }
  const server = await runBlock(command, cwd, all)
  onTestFinished(server.stop)
  expect([server.exitCode, server.output]).toEqual([0, expect.stringContaining('listening on')])
  const health = await fetch(`http://127.0.0.1:${port}${healthCheck}`)
  const response = await fetch(
    `http://127.0.0.1:${port}/?request_type=fetch_data&account_id=acc_northwind`,
    { headers: { 'x-sidecard-secret': 'secret' } },
  )
  return [health.status, response.status, await response.text()]
}

// If PostgreSQL is missing, run apt-get install postgresql.
const bin = findPostgres()

/** The environment of a server, and what it then responds to the health check and a data fetch. */
const SERVERS = {
  // The server reports that the API cannot be reached, and so does the sidebar.
  node: [async () => ({ API_URL: 'http://127.0.0.1:9' }), 503, 'Trace ID'],
  'node-sqlite': [async () => ({ DATABASE_PATH: ':memory:' }), 200, 'Customer not found'],
  'node-postgres': [
    async (project: string) => {
      const postgres = startPostgres(bin ?? '', await findFreePort())
      onTestFinished(() => postgres.stop())
      await runOrThrow(project, 'npm', ['run', 'migrate'], { DATABASE_URL: postgres.url })
      return { DATABASE_URL: postgres.url }
    },
    200,
    'Customer not found',
  ],
} as const

const NAMES = ['node', 'node-sqlite', 'node-postgres'] as const

test.skipIf(!hasRegistry).each(draw(NAMES, 1))(
  'the Dockerfile of %s has everything that its server needs, and no package of the command line',
  async (name) => {
    if (name === 'node-postgres' && bin === undefined) return
    const project = await openPlace(name)
    const [prepare, health, text] = SERVERS[name]
    const image = await build(project)
    const shown = await run(image, await prepare(project))
    expect(shown).toEqual([health, 200, expect.stringContaining(text)])
    const packages = readdirSync(join(image.cwd, 'node_modules'))
    expect(packages).toContain('hono')
    expect(packages).not.toContain('commander')
  },
)
