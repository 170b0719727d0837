import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmulator } from 'sidecard/emulator'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
// Several versions of TypeScript provide node_modules/.bin/tsc, so it is not used.
const tsc = join(root, 'node_modules/typescript/bin/tsc')

/** A program with a generated client. */
const PROGRAM = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({
  baseUrl: process.env['BASE_URL'] ?? '',
  headers: { authorization: \`Bearer \${process.env['ACCESS_TOKEN']}\` },
})
const created = await client.POST('/tasks', {
  params: { query: { title: 'Call back', status: 'in_progress', customer_portal_visible: true } },
})
const title: string | undefined = created.data?.data.title
const redacted = await client.POST('/issues/{id}/messages/{message_id}/redact', {
  params: { path: { id: 'iss_1042', message_id: 'msg_1042_1' } },
})
const lists = await Promise.all([
  client.GET('/ticket-forms'),
  client.GET('/users', { params: { query: { limit: 2 } } }),
  client.GET('/knowledge-bases'),
  client.GET('/teams'),
  client.GET('/tags'),
  client.GET('/user-roles'),
])
const counts = lists.map(({ data }) => data?.data.length)
console.log(JSON.stringify({ title, html: redacted.data?.data.message_html, counts }))
`

/** Each call must be a type error. */
const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({ baseUrl: '' })
// @ts-expect-error title is required
await client.POST('/tasks', { params: { query: {} } })
// @ts-expect-error no such status
await client.POST('/tasks', { params: { query: { title: 'x', status: 'done' } } })
// @ts-expect-error no such path
await client.GET('/issues')
`

describe('a client that a public generator creates from sidecard/openapi.json', () => {
  let folder = ''

  beforeAll(async () => {
    const scratch = join(root, '.scratch')
    mkdirSync(scratch, { recursive: true })
    folder = mkdtempSync(join(scratch, 'generated-client-'))
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    writeFileSync(join(folder, 'wrong.ts'), WRONG)
    const alias = new URL('typescript-alias.ts', import.meta.url).href
    const generator = join(root, 'node_modules/openapi-typescript/bin/cli.js')
    const files = [join(root, 'schema/openapi.json'), '--output', join(folder, 'api.d.ts')]
    await run(process.execPath, ['--import', alias, generator, ...files])
  }, 60_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('accepts valid calls and rejects invalid ones', async () => {
    const files = [join(folder, 'program.ts'), join(folder, 'wrong.ts')]
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--ignoreConfig']
    const modules = ['--module', 'NodeNext', '--target', 'ES2023', '--types', 'node']
    const args = [tsc, ...options, ...modules, '--allowImportingTsExtensions', ...files]
    const checked = await run(process.execPath, args).catch((error: { stdout: string }) => error)
    expect(checked.stdout).toBe('')
  }, 60_000)

  test('calls all eight operations of the emulator', async () => {
    await using emulator = createEmulator({ strict: true })
    const { url } = await emulator.listen()
    const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], {
      env: { ...process.env, BASE_URL: url, ACCESS_TOKEN: emulator.accessToken },
    })
    expect(JSON.parse(stdout)).toEqual({
      title: 'Call back',
      html: '',
      counts: [3, 2, 2, 4, 5, 4],
    })
    expect(new Set(emulator.requests.list().map(({ operation }) => operation)).size).toBe(8)
    expect(emulator.requests.list().flatMap(({ deviations }) => deviations)).toEqual([])
  }, 60_000)
})
