import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundlePackage } from '../../scripts/bundle-package.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
let folder = ''

beforeAll(async () => {
  // Inside the repository, so that the packages it depends on are found.
  folder = await mkdtemp(join(root, '.scratch-loaded-'))
  await bundlePackage(folder)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const COUNT = `
import { registerHooks } from 'node:module'
const urls = []
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
await import(process.argv[1])
process.on('exit', report)
function report() {
  const own = urls.filter((url) => url.startsWith('file:') && !url.includes('/node_modules/'))
  const zod = urls.filter((url) => url.includes('/node_modules/zod/'))
  console.log('\\n' + JSON.stringify({ own: own.length, zod: zod.length }))
}`

// Each file costs a start of the process about half a millisecond.
test.each<[name: string, file: string, maxFiles: number, ...args: string[]]>([
  ['sidecard', 'index.js', 18],
  ['sidecard/cache', 'cache/index.js', 8],
  ['sidecard/node', 'node/index.js', 10],
  ['sidecard/actions', 'actions/index.js', 23],
  ['sidecard/client', 'client/index.js', 13],
  ['sidecard check --help', 'cli/bin.js', 27, 'check', '--help'],
])('%s loads few files, and no zod', async (_, file, maxFiles, ...args) => {
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    COUNT,
    join(folder, file),
    ...args,
  ])
  const { own, zod } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { own: number; zod: number }
  expect(own).toBeGreaterThan(0)
  expect({ own, fits: own <= maxFiles, zod }).toMatchObject({ fits: true, zod: 0 })
})
