import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { assertNodeVersion } from '../../../src/tools/internal/assert-node-version.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
// The machine's own Node, outside node_modules, which may be an old version.
const systemNode = (process.env['PATH'] ?? '')
  .split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find((file) => readVersion(file).startsWith('v20.'))

function readVersion(file: string): string {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' }) as { stdout?: string }
  return stdout ?? ''
}

test.each(['18.20.0', '20.20.2', '22.12.0'])('Node %s is rejected in one line', (version) => {
  expect(() => assertNodeVersion('sidecard/testing', version)).toThrow(
    `sidecard/testing requires Node 22.13 or later. You are running Node ${version}.`,
  )
})

test.each(['22.13.0', '24.21.0', '26.0.0'])('Node %s is accepted', (version) => {
  expect(() => assertNodeVersion('sidecard/testing', version)).not.toThrow()
})

// This requires any Node 20 on the PATH.
describe.skipIf(systemNode === undefined)('on a real Node 20', () => {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sidecard-node20-'))
    writeFileSync(join(folder, 'package.json'), '{ "name": "sidecard", "version": "0.0.0" }')
    await build({
      absWorkingDir: root,
      entryPoints: {
        emulator: 'src/tools/emulator/index.ts',
        testing: 'src/tools/service/index.ts',
        check: 'src/tools/check/index.ts',
        client: 'src/runtime/client/index.ts',
        bin: 'src/tools/cli/bin.ts',
      },
      // The code looks for its package.json in the folders above.
      outdir: join(folder, 'dist', 'emulator', 'listener'),
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      // One of the dependencies is a CommonJS package.
      banner: {
        js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url)",
      },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = (...args: readonly string[]) =>
    spawnSync(systemNode ?? '', args, {
      cwd: join(folder, 'dist', 'emulator', 'listener'),
      encoding: 'utf8',
    })

  test.each([
    ['emulator', 'createEmulator()'],
    ['testing', "createTestService({ fetch: () => new Response('') })"],
    ['check', "check('http://127.0.0.1:1/')"],
  ])('sidecard/%s says so when it is used', (name, call) => {
    const program = `
      import * as entry from './${name}.mjs'
      try { await entry.${call} } catch (error) { console.log(error.code, error.message) }`
    const { stdout, stderr } = run('--input-type=module', '-e', program)
    expect(stderr).toBe('')
    expect(stdout).toMatch(
      new RegExp(
        `^unsupported_node sidecard/${name} requires Node 22\\.13 or later\\. You are running Node 20\\.[\\d.]+\\n$`,
      ),
    )
  })

  test('sidecard/client needs nothing newer', () => {
    const program = `
      import { createClient } from './client.mjs'
      const fetch = async () => Response.json({ data: [{ id: 'user-1' }], pagination: { has_next_page: false } })
      const client = createClient({ baseUrl: 'https://api.example.com', accessToken: 'token', fetch })
      console.log(JSON.stringify(await client.users.list().toArray()))`
    const { stdout, stderr } = run('--input-type=module', '-e', program)
    expect([stderr, stdout]).toEqual(['', '[{"id":"user-1"}]\n'])
  })

  test('the command reports the version and exits with code 2', () => {
    const { status, stderr, stdout } = run('bin.mjs', 'dev')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(
      /^sidecard requires Node 22\.13 or later\. You are running Node 20\.[\d.]+\n$/,
    )
  })
})
