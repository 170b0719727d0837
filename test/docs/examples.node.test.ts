import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isRecording } from 'sidecard/testing'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the examples stand in: an app with its context, its secrets and its backend. */
const AROUND = `
interface Env { SIDECARD_SECRET: string }
interface Account { plan: string; renewsAt?: Date; adminUrl: string }
declare const Hono: typeof import('hono').Hono
declare const app: ReturnType<typeof import('sidecard').sidecard>
declare const billing: typeof app, usage: typeof app, myApp: typeof app
declare const ctx: { signal: AbortSignal }
declare const expect: typeof import('vitest').expect
declare const secrets: { get(name: string): Promise<string> }
declare function findAccount(env: Env, id: string, signal: AbortSignal): Promise<Account>
declare function recentErrors(context: unknown): Promise<[]>
declare function refreshToken(): Promise<void>
`

/** The pages, and whether the examples of one go on from each other. */
const PAGES = [
  ['README.md', false],
  ['docs/client.md', true],
  ['docs/deploying.md', false],
  ['docs/emulator.md', false],
  ['docs/testing.md', false],
] as const

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const fences = text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return Array.from(fences, ([, code = '']) => code)
}

test('every example of the documentation type-checks', async () => {
  const scratch = join(root, '.scratch')
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'docs-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  try {
    for (const name of ['src', 'test', 'test/fixtures']) mkdirSync(join(folder, name))
    write('around.d.ts', AROUND)
    write('src/index.ts', 'const own = app\nexport default own\n')
    write('test/fixtures/acme.json', blocksOf('docs/testing.md', 'json').join(''))
    for (const [page, isOne] of PAGES) {
      const blocks = blocksOf(page, 'ts')
      expect(blocks).not.toEqual([])
      for (const [index, code] of (isOne ? [blocks.join('\n')] : blocks).entries()) {
        write(`test/${page.replaceAll('/', '-')}-${index + 1}.ts`, `${code}\nexport {}\n`)
      }
    }
    const options = { noUnusedLocals: false, rootDir: root }
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: ['.'],
    }
    write('tsconfig.json', JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

test('the recording in docs/testing.md is one', () => {
  const [recording = ''] = blocksOf('docs/testing.md', 'json')
  expect(isRecording(JSON.parse(recording))).toBe(true)
})
