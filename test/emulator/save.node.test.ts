import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestService, isRecording, replay } from 'sidecard/testing'
import { connect, payload, widget } from './helpers.ts'

let project = ''
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'sidecard-project-'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

const read = (path: string) => readFileSync(join(project, path), 'utf8')

async function opened(
  responses: Parameters<typeof connect>[0] = {},
  projectDir: string | undefined = project,
) {
  const data = (url: URL) =>
    Response.json(
      payload([{ type: 'text', label: 'Email', value: url.searchParams.get('requester_email') }]),
    )
  const { emulator, open } = await connect(
    { data, ...responses },
    projectDir === undefined ? {} : { projectDir },
  )
  const { exchangeId } = await open()
  return { emulator, id: exchangeId ?? '' }
}

describe('Save as fixture', () => {
  test('writes an anonymized recording into test/fixtures', async () => {
    const { emulator, id } = await opened()
    const result = await emulator.exchanges.save(id, { as: 'fixture', name: 'acme' })
    expect(result).toEqual({
      files: ['test/fixtures/acme.json'],
      replaced: expect.objectContaining({ emails: 1 }),
      kept: ['Billing'],
      change: null,
    })
    const recording: unknown = JSON.parse(read('test/fixtures/acme.json'))
    expect(JSON.stringify(recording)).not.toContain('maria')
    if (!isRecording(recording)) throw new Error('no recording')
    const service = createTestService(replay(recording))
    const { text } = await service.openIssue(recording.request.params)
    expect(text).toContain('person1@example.com')
  })

  test('keeps the values on request', async () => {
    const { emulator, id } = await opened()
    const result = await emulator.exchanges.save(id, {
      as: 'fixture',
      name: 'acme',
      anonymize: false,
    })
    expect(result.replaced).toBeNull()
    expect(read('test/fixtures/acme.json')).toContain('maria.anders@northwind.example')
  })

  test('does not overwrite files, and chooses an unused name by default', async () => {
    const { emulator, id } = await opened()
    await emulator.exchanges.save(id, { as: 'fixture', name: 'acme' })
    writeFileSync(join(project, 'test/fixtures/acme.json'), 'mine')
    await expect(
      emulator.exchanges.save(id, { as: 'fixture', name: 'acme' }),
    ).rejects.toMatchObject({
      code: 'file_exists',
      message: 'test/fixtures/acme.json already exists. Choose another name.',
    })
    expect(read('test/fixtures/acme.json')).toBe('mine')
    const first = await emulator.exchanges.save(id, { as: 'fixture' })
    const second = await emulator.exchanges.save(id, { as: 'fixture' })
    expect([...first.files, ...second.files]).toEqual([
      'test/fixtures/billing-rendered.json',
      'test/fixtures/billing-rendered-2.json',
    ])
  })

  test('writes neither file of a test if one exists', async () => {
    const { emulator, id } = await opened()
    mkdirSync(join(project, 'test'))
    writeFileSync(join(project, 'test/acme.test.ts'), 'mine')
    await expect(emulator.exchanges.save(id, { as: 'test', name: 'acme' })).rejects.toMatchObject({
      code: 'file_exists',
    })
    expect(existsSync(join(project, 'test/fixtures/acme.json'))).toBe(false)
  })

  test.each(['../acme', 'a/b', '', '.', '-a', 'a-', 'x'.repeat(65), 'a b', 'a\0'])(
    'rejects the name %j',
    async (name) => {
      const { emulator, id } = await opened()
      await expect(emulator.exchanges.save(id, { as: 'fixture', name })).rejects.toMatchObject({
        code: 'invalid_name',
        message:
          'The name may contain letters, digits and hyphens, at most 64. Choose another name.',
      })
      expect(readdirSync(project)).toEqual([])
    },
  )

  test('rejects a link that leads outside the project', async () => {
    const { emulator, id } = await opened()
    const outside = mkdtempSync(join(tmpdir(), 'sidecard-outside-'))
    symlinkSync(outside, join(project, 'test'))
    await expect(
      emulator.exchanges.save(id, { as: 'fixture', name: 'acme' }),
    ).rejects.toMatchObject({
      code: 'cannot_write',
      message: 'test/fixtures/acme.json is outside the project. Remove the link.',
    })
    expect(readdirSync(outside)).toEqual([])
    rmSync(outside, { recursive: true })
  })

  test.each([
    ['a handshake', {}, 'verify'],
    ['a response that is not JSON', { data: () => new Response('<html>') }, 'fetch_data'],
    ['no response', { data: () => Promise.reject(new Error('x')) }, 'fetch_data'],
    ['an array', { data: () => Response.json([]) }, 'fetch_data'],
  ] as const)('does not save %s', async (_name, responses, kind) => {
    const { emulator } = await opened(responses)
    const id = emulator.exchanges.list().find((line) => line.kind === kind)?.id ?? ''
    await expect(emulator.exchanges.save(id, { as: 'fixture' })).rejects.toMatchObject({
      code: 'not_saveable',
      message: 'Only a data fetch with a complete JSON object as its response can be saved.',
    })
  })

  test('reports a missing project', async () => {
    const { emulator, open } = await connect()
    const { exchangeId } = await open()
    await expect(
      emulator.exchanges.save(exchangeId ?? '', { as: 'fixture' }),
    ).rejects.toMatchObject({
      code: 'no_project',
      message:
        'The emulator has no project folder. Start it with sidecard dev, or pass projectDir to createEmulator().',
    })
  })
})

test.each(['a', 'A1', 'a-b', 'x'.repeat(64)])('the name %j is accepted', async (name) => {
  const { emulator, id } = await opened()
  const { files } = await emulator.exchanges.save(id, { as: 'fixture', name })
  expect(files).toEqual([`test/fixtures/${name}.json`])
})

test.each([
  ['  Ünited Apps! ', 'nited-apps-rendered'],
  ['鯉', 'rendered'],
  ['x'.repeat(49), 'x'.repeat(49)],
])('an app named %j has a fixture named %s by default', async (appName, name) => {
  const { emulator, id } = await opened()
  const [app] = emulator.apps.list()
  await emulator.apps.update(app?.id ?? '', { name: appName })
  const { id: renamed } = await emulator.exchanges.replay(id)
  const { files } = await emulator.exchanges.save(renamed, { as: 'fixture' })
  expect(files).toEqual([`test/fixtures/${name}.json`])
})

test('a folder that cannot be written is reported', async () => {
  const { emulator, id } = await opened()
  writeFileSync(join(project, 'test'), 'a file')
  await expect(emulator.exchanges.save(id, { as: 'test', name: 'acme' })).rejects.toMatchObject({
    code: 'cannot_write',
    message:
      'Cannot write test/fixtures/acme.json, test/acme.test.ts. Check the permissions of the project folder.',
    cause: { code: expect.stringMatching(/^E/) },
  })
})

/** An app that shows what the recorded response shows. */
const APP = `import { secretHeader, sidecard, text } from 'sidecard'

export default sidecard({
  header: { title: 'Billing' },
  auth: secretHeader('x-sidecard-secret', { binding: 'MY_SECRET' }),
  fetchData: (ctx) => [text({ label: 'Email', value: ctx.require('requester_email') })],
})
`

/** An app that needs a database, as that of a template. */
const FACTORY = `import type { Database } from './database.ts'
import { secretHeader, sidecard, text } from 'sidecard'

export function createApp(database: Database) {
  return sidecard({
    header: { title: 'Billing' },
    auth: secretHeader('x-sidecard-secret', { binding: 'MY_SECRET' }),
    fetchData: (ctx) => [text({ label: 'Email', value: database.email(ctx.params) })],
  })
}
`
const DATABASE = `export interface Database { email(ids: { requester_email?: string }): string }

export function openDatabase(): Database {
  return { email: ({ requester_email = '' }) => requester_email }
}
`

/** An app like that of a template: its tests pass a database and a binding, and can fake a source. */
const TESTED = `import { secretHeader, sidecard, text } from 'sidecard'

type Database = Map<string, string>

export function createApp(database: Database, customers = new Map(database)) {
  return sidecard({
    header: { title: 'Billing' },
    auth: secretHeader('x-sidecard-secret', { binding: 'MY_SECRET' }),
    fetchData: (ctx) => [text({ label: 'Email', value: customers.get('maria') + ctx.env.DOMAIN! })],
  })
}
`

const ENV = `export const env = { DOMAIN: '@northwind.example' }
export const database = new Map([['maria', 'maria.anders']])
`

function writeProject(files: Readonly<Record<string, string>>): void {
  for (const folder of ['src', 'test']) mkdirSync(join(project, folder), { recursive: true })
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text)
}

describe('Save as test', () => {
  const vitest = new URL('../../node_modules/vitest', import.meta.url).pathname
  const runners = [
    ['node:test', 'node --test', ['--test', 'test/acme.test.ts']],
    ['Vitest', 'vitest run', [`${vitest}/vitest.mjs`, 'run', '--root', '.']],
  ] as const
  const apps: ReadonlyArray<readonly [string, Record<string, string>]> = [
    ['an exported app', { 'src/index.ts': APP }],
    ['a function that creates one', { 'src/app.ts': FACTORY, 'src/database.ts': DATABASE }],
    ['an app that needs what its other tests pass', { 'src/app.ts': TESTED, 'test/env.ts': ENV }],
  ]

  describe.each(runners)('with %s', (_runner, script, args) => {
    test.each(apps)(
      'writes a test of %s that passes, and fails when fetchData throws or shows something else',
      async (_name, files) => {
        writeProject({
          ...files,
          'package.json': JSON.stringify({ type: 'module', scripts: { test: script } }),
        })
        linkPackages(vitest)
        const { emulator, id } = await opened()
        const [app] = emulator.apps.list()
        await emulator.apps.update(app?.id ?? '', { headers: { 'x-sidecard-secret': 'dev' } })
        const { id: replayed } = await emulator.exchanges.replay(id)
        const saved = await emulator.exchanges.save(replayed, {
          as: 'test',
          name: 'acme',
          anonymize: false,
        })
        expect(saved.files).toEqual(['test/fixtures/acme.json', 'test/acme.test.ts'])
        expect(saved.change).toBeNull()
        const run = () => promisify(execFile)(process.execPath, args, { cwd: project })
        await run()
        const [path = '', source = ''] = Object.entries(files)[0] ?? []
        const broken = source.replace('fetchData: (ctx) => [', 'fetchData: (ctx) => [broken(), ')
        writeFileSync(
          join(project, path),
          `${broken}\nfunction broken(): never { throw new Error('broken app') }\n`,
        )
        await expect(run()).rejects.toMatchObject({ code: 1 })
        writeFileSync(join(project, path), source.replace("label: 'Email'", "label: 'Mail'"))
        await expect(run()).rejects.toMatchObject({ code: 1 })
      },
      60_000,
    )
  })

  test('says what to change if the IDs are placeholders', async () => {
    writeProject({ 'src/index.ts': APP })
    const { emulator, id } = await opened()
    const { change } = await emulator.exchanges.save(id, { as: 'test', name: 'acme' })
    expect(change).toMatch(/^IDs and personal data are placeholders: .* write IDs/)
    expect(read('test/acme.test.ts')).toContain(`// ${change}`)
  })

  test('says how to fake the data source if the app takes one', async () => {
    writeProject({ 'src/app.ts': TESTED, 'test/env.ts': ENV })
    const { emulator, id } = await opened()
    const { change } = await emulator.exchanges.save(id, { as: 'test', name: 'acme' })
    expect(change).toMatch(/Or pass a fake customers to createApp\(\)\.$/)
  })

  test('says what to change if it does not find the app, or cannot create it', async () => {
    const { emulator, id } = await opened()
    const options = { as: 'test', anonymize: false } as const
    const missing = await emulator.exchanges.save(id, { ...options, name: 'missing' })
    expect(missing.change).toContain('Import your app')
    writeProject({ 'src/app.ts': FACTORY })
    const unknown = await emulator.exchanges.save(id, { ...options, name: 'unknown' })
    expect(unknown.change).toBe('Pass what createApp() needs.')
    expect(read('test/unknown.test.ts')).toContain('// Pass what createApp() needs.')
  })

  test('does not import a file that opens a port', async () => {
    writeProject({
      'src/index.ts': 'export default serve(app)\n',
      'src/app.ts': 'export const app = sidecard({})\n',
    })
    const { emulator, id } = await opened()
    await emulator.exchanges.save(id, { as: 'test', name: 'acme', anonymize: false })
    expect(read('test/acme.test.ts')).toContain("import { app } from '../src/app.ts'")
  })

  test('quotes what the agent saw', async () => {
    const components = [
      { type: 'text', label: 'It\'s "quoted" \\ `${x}`', value: 'Zeile\nzwei 鯉' },
    ]
    const { emulator, id } = await opened({ data: () => Response.json(payload(components)) })
    await emulator.exchanges.save(id, { as: 'test', name: 'acme', anonymize: false })
    expect(read('test/acme.test.ts')).toContain('\'It\\\'s "quoted" ')
  })

  test('saves an error state as well', async () => {
    const { emulator, id } = await opened({
      data: () => Response.json({ ...widget('x'), components: [{ type: 'chart' }] }),
    })
    await emulator.exchanges.save(id, { as: 'test', name: 'broken' })
    expect(read('test/broken.test.ts')).toContain('error state')
  })
})

/** Links the source as the package `sidecard`, as in a project that installed it. */
function linkPackages(vitest: string): void {
  const folder = join(project, 'node_modules/sidecard')
  mkdirSync(folder, { recursive: true })
  symlinkSync(vitest, join(project, 'node_modules/vitest'))
  const testing = new URL('../../src/service/index.ts', import.meta.url).href
  const index = new URL('../../src/index.ts', import.meta.url).href
  const exports = { '.': './index.js', './testing': './testing.js' }
  const manifest = JSON.stringify({ name: 'sidecard', type: 'module', exports })
  writeFileSync(join(folder, 'package.json'), manifest)
  writeFileSync(join(folder, 'index.js'), `export * from ${JSON.stringify(index)}\n`)
  writeFileSync(join(folder, 'testing.js'), `export * from ${JSON.stringify(testing)}\n`)
}
