import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the examples stand in: an app with its context and its secrets. */
const AROUND = `
declare const secrets: { get(name: string): Promise<string> }
declare const ctx: { signal: AbortSignal }
declare function refreshToken(): Promise<void>
`

test('every example of docs/client.md type-checks', async () => {
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code)
  expect(blocks.length).toBeGreaterThan(3)
  const scratch = join(root, '.scratch')
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'docs-'))
  try {
    writeFileSync(join(folder, 'examples.ts'), `${AROUND}${blocks.join('\n')}`)
    const paths = { 'sidecard/client': [join(root, 'src/client/index.ts')] }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { paths, noUnusedLocals: false },
        include: ['examples.ts'],
      }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const checked = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(checked.stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
