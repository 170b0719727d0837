import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestService, isRecording, replay } from 'sidecard/testing'
import { connect, payload } from './helpers.ts'

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

test('the shape of a payload has no text of the customer, and says what was kept', async () => {
  const { emulator, id } = await opened()
  const { payload: shown, replaced, kept } = emulator.exchanges.shape(id)
  expect(JSON.stringify(shown)).not.toMatch(/maria|northwind/i)
  expect(shown).toMatchObject({
    components: [{ type: 'text', label: 'Email', value: 'person1@example.com' }],
  })
  expect(replaced).toBeGreaterThan(2)
  expect(kept).toEqual(['Email'])
  const [handshake] = emulator.exchanges.list().filter(({ kind }) => kind === 'verify')
  expect(() => emulator.exchanges.shape(handshake!.id)).toThrow('Only a data fetch')
})

describe('Save as fixture', () => {
  test('writes an anonymized recording into test/fixtures', async () => {
    const { emulator, id } = await opened()
    const result = await emulator.exchanges.save(id, { name: 'acme' })
    expect(result).toEqual({
      file: 'test/fixtures/acme.json',
      replaced: expect.any(Number),
      kept: ['Email'],
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
      name: 'acme',
      anonymize: false,
    })
    expect(result.replaced).toBeNull()
    expect(read('test/fixtures/acme.json')).toContain('maria.anders@northwind.example')
  })

  test('does not overwrite files, and chooses an unused name by default', async () => {
    const { emulator, id } = await opened()
    await emulator.exchanges.save(id, { name: 'acme' })
    writeFileSync(join(project, 'test/fixtures/acme.json'), 'mine')
    await expect(emulator.exchanges.save(id, { name: 'acme' })).rejects.toMatchObject({
      code: 'file_exists',
      message: 'test/fixtures/acme.json already exists. Choose another name.',
    })
    expect(read('test/fixtures/acme.json')).toBe('mine')
    const first = await emulator.exchanges.save(id, {})
    const second = await emulator.exchanges.save(id, {})
    expect([first.file, second.file]).toEqual([
      'test/fixtures/billing-rendered.json',
      'test/fixtures/billing-rendered-2.json',
    ])
  })

  test.each(['../acme', 'a/b', '', '.', '-a', 'a-', 'x'.repeat(65), 'a b', 'a\0'])(
    'rejects the name %j',
    async (name) => {
      const { emulator, id } = await opened()
      await expect(emulator.exchanges.save(id, { name })).rejects.toMatchObject({
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
    await expect(emulator.exchanges.save(id, { name: 'acme' })).rejects.toMatchObject({
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
    await expect(emulator.exchanges.save(id, {})).rejects.toMatchObject({
      code: 'not_saveable',
      message: 'Only a data fetch with a complete JSON object as its response can be saved.',
    })
  })

  test('reports a missing project', async () => {
    const { emulator, open } = await connect()
    const { exchangeId } = await open()
    await expect(emulator.exchanges.save(exchangeId ?? '', {})).rejects.toMatchObject({
      code: 'no_project',
      message:
        'The emulator has no project folder. Start it with sidecard dev, or pass projectDir to createEmulator().',
    })
  })
})

test.each(['a', 'A1', 'a-b', 'x'.repeat(64)])('the name %j is accepted', async (name) => {
  const { emulator, id } = await opened()
  const { file } = await emulator.exchanges.save(id, { name })
  expect(file).toBe(`test/fixtures/${name}.json`)
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
  const { file } = await emulator.exchanges.save(renamed, {})
  expect(file).toBe(`test/fixtures/${name}.json`)
})

test('a folder that cannot be written is reported', async () => {
  const { emulator, id } = await opened()
  writeFileSync(join(project, 'test'), 'a file')
  await expect(emulator.exchanges.save(id, { name: 'acme' })).rejects.toMatchObject({
    code: 'cannot_write',
    message: 'Cannot write test/fixtures/acme.json. Check the permissions of the project folder.',
    cause: { code: expect.stringMatching(/^E/) },
  })
})
