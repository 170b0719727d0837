import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageName, ProgramSeed } from './program-seed.ts'

interface Language {
  readonly extension: string
  readonly version: readonly [string, ...string[]]
  /** The command that runs a program. */
  readonly run: (file: string) => readonly [string, ...string[]]
}

const LANGUAGES: Readonly<Record<LanguageName, Language>> = {
  python: { extension: 'py', version: ['python3', '--version'], run: (file) => ['python3', file] },
  ruby: { extension: 'rb', version: ['ruby', '--version'], run: (file) => ['ruby', file] },
  php: {
    extension: 'php',
    version: ['php', '--version'],
    run: (file) => ['php', '-S', '127.0.0.1:0', file],
  },
  go: { extension: 'go', version: ['go', 'version'], run: (file) => [file] },
}

const START_MS = 20_000

export function isInstalled(language: LanguageName): boolean {
  const [command, ...args] = LANGUAGES[language].version
  return spawnSync(command, args).status === 0
}

/** A started program. */
export interface Program {
  readonly url: string
  readonly close: () => void
}

/** Starts programs, and compiles those that need it once. */
export function createLauncher(all: readonly ProgramSeed[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-farm-'))
  let count = 0
  let compiled: string | undefined
  const write = (language: LanguageName, change: string) => {
    const { extension } = LANGUAGES[language]
    const source = readFileSync(new URL(`endpoint.${extension}`, import.meta.url), 'utf8')
    const file = join(folder, `${(count += 1)}.${extension}`)
    writeFileSync(
      file,
      source.replace(/^.*\bCHANGE$/m, () => change),
    )
    return file
  }
  const compile = () => {
    const entries = all
      .filter(({ language }) => language === 'go')
      .flatMap(({ id, defect, twin }) => [
        `${JSON.stringify(id)}: func() { ${defect} },`,
        ...(twin === '' ? [] : [`${JSON.stringify(`${id} twin`)}: func() { ${twin} },`]),
      ])
    const binary = join(folder, 'endpoint')
    const source = write('go', entries.join('\n'))
    const { status, stderr } = spawnSync('go', ['build', '-o', binary, source], {
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`The Go programs do not compile:\n${stderr}`)
    return binary
  }
  return {
    start(seed: ProgramSeed, which: 'defect' | 'twin'): Promise<Program> {
      const { id, language } = seed
      const change = seed[which]
      if (language !== 'go') return launch(LANGUAGES[language].run(write(language, change)), id)
      compiled ??= compile()
      const name = which === 'defect' ? id : change === '' ? '' : `${id} twin`
      return launch([compiled, name], id)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Starts a process, and reads its URL. A program that does not start is an error, not a hit. */
async function launch(
  [command, ...args]: readonly [string, ...string[]],
  id: string,
): Promise<Program> {
  const state = mkdtempSync(join(tmpdir(), 'sidecard-farm-'))
  const child = spawn(command, args, {
    env: { ...process.env, FARM_STATE: state, PHP_CLI_SERVER_WORKERS: '4', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its workers end with it.
    detached: true,
  })
  const close = () => {
    if (child.pid !== undefined) {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    rmSync(state, { recursive: true, force: true })
  }
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const fail = () => reject(new Error(`${id} did not start:\n${output}`))
    const timer = setTimeout(fail, START_MS)
    const read = (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(0, 5_000)
      const found = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(output)
      if (found === null) return
      clearTimeout(timer)
      resolve(`${found[0]}/`)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', fail).on('exit', fail)
  }).catch((error: unknown) => {
    close()
    throw error
  })
  return { url, close }
}
