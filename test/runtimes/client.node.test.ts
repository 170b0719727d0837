import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'

const run = promisify(execFile)
const program = fileURLToPath(new URL('client-program.ts', import.meta.url))
const bin = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url))

test.each([
  ['Node', process.execPath, []],
  ['Bun', bin('bun'), ['run']],
  ['Deno', bin('deno'), ['run', '--quiet', '--no-lock', '--cached-only', '--allow-net']],
])(
  'the client works on %s',
  async (_name, runtime, args) => {
    await using emulator = createEmulator({ seed: 'large' })
    const { url } = await emulator.listen()
    const { stdout } = await run(runtime, [...args, program, url, emulator.accessToken], {
      env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
    })
    expect(JSON.parse(stdout)).toEqual({
      task: ['Zurück 📞', '1970-01-01T00:00:00.000Z'],
      redacted: '',
      users: 1_234,
      pages: [50, 50, 50, 50, 50, 10],
      attempts: 1,
      refused: 401,
    })
  },
  60_000,
)
