import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noAuth, sidecard } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'
import { addLargeData } from '../../helpers/large-data.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-emulator-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'emulator.sqlite')

const CORRUPT = () =>
  `${file()} is corrupt or not a database. It was not modified. Move it to start fresh, or restore a backup.`

async function createTask(emulator: ReturnType<typeof createEmulator>, title: string) {
  const response = await emulator.fetch(`${emulator.url}/tasks?title=${title}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.accessToken}` },
  })
  expect(response.status).toBe(200)
}

describe('a database file', () => {
  test('survives a restart, including apps and their headers', async () => {
    const first = createEmulator({ database: file() })
    await createTask(first, 'kept')
    const app = await first.apps.create({
      name: 'Billing',
      url: 'http://127.0.0.1:9/',
      headers: { 'x-key': 'value' },
    })
    await first.close()
    const second = createEmulator({ database: file() })
    expect(second.apps.list()).toMatchObject([{ id: app.id, headerNames: ['x-key'] }])
    expect(JSON.stringify(second.snapshot())).toContain('"title":"kept"')
    await second.close()
  })

  test('keeps its data set if it is opened with another one', async () => {
    const own = (name: string) => ({ database: file(), dataset: { customers: [{ name }] } })
    await createEmulator(own('Ada')).close()
    const again = createEmulator(own('Bob'))
    expect(again.issues.list().map(({ title }) => title)).toEqual(['Question from Ada'])
    await again.close()
  })

  test('that another emulator is using is rejected', async () => {
    const first = createEmulator({ database: file() })
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({
        code: 'database_locked',
        message: `Another emulator is using ${file()}. Stop it or choose another file.`,
        cause: expect.any(Error),
      }),
    )
    await first.close()
  })

  test.each([
    ['no database', Buffer.from('this is a letter to my aunt, not a database\n'.repeat(200))],
    ['random bytes', Buffer.from(Array.from({ length: 8_192 }, (_, index) => (index * 97) % 251))],
  ])('that is %s is rejected and not modified', (_name, content) => {
    writeFileSync(file(), content)
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_corrupt', message: CORRUPT() }),
    )
    expect(readFileSync(file()).equals(content)).toBe(true)
  })

  test('that is corrupt in the middle is rejected and not modified', async () => {
    await addLargeData(createEmulator({ database: file() })).close()
    const bytes = readFileSync(file())
    bytes.fill(0x5a, 4_096, 4_096 * 6)
    writeFileSync(file(), bytes)
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_corrupt', message: CORRUPT() }),
    )
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  test('with a document that is not JSON is reported as corrupt when it is read', async () => {
    await createEmulator({ database: file() }).close()
    const database = new DatabaseSync(file())
    database.exec("UPDATE documents SET body = '{' WHERE kind = 'tag'")
    database.close()
    await using emulator = createEmulator({ database: file() })
    for (const read of [() => emulator.issues.list(), () => emulator.snapshot()]) {
      expect(read).toThrow(expect.objectContaining({ code: 'database_corrupt' }))
    }
    emulator.reset()
    expect(emulator.issues.list()).toHaveLength(8)
  })

  test('of another program is rejected and not modified', () => {
    const theirs = new DatabaseSync(file())
    theirs.exec('CREATE TABLE precious (value TEXT)')
    theirs.close()
    const before = readFileSync(file())
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({
        code: 'database_foreign',
        message: `${file()} is not a Sidecard database. Choose another file.`,
      }),
    )
    expect(readFileSync(file()).equals(before)).toBe(true)
  })

  test('of a newer version of Sidecard is rejected and not modified', async () => {
    await createEmulator({ database: file() }).close()
    const newer = new DatabaseSync(file())
    newer.exec('PRAGMA user_version = 2')
    newer.close()
    const before = readFileSync(file())
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({
        code: 'database_newer',
        message: `${file()} was written by a newer version of sidecard (format 2; this version supports 1). Update sidecard or choose another file.`,
      }),
    )
    expect(readFileSync(file()).equals(before)).toBe(true)
  })

  test('is only readable by its owner, like its journal, even if it was readable by others', async () => {
    const modes = () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]),
      )
    const umask = process.umask(0)
    try {
      const first = createEmulator({ database: file() })
      await createTask(first, 'x')
      expect(modes()).toEqual({ 'emulator.sqlite': 0o600, 'emulator.sqlite-wal': 0o600 })
      await first.close()
      chmodSync(file(), 0o644)
      const second = createEmulator({ database: file() })
      await createTask(second, 'x')
      expect(modes()).toEqual({ 'emulator.sqlite': 0o600, 'emulator.sqlite-wal': 0o600 })
      await second.close()
    } finally {
      process.umask(umask)
    }
  })

  test('remembers the organization of a custom data set', async () => {
    const dataset = { organization: { id: 'org_7', name: 'Own' }, customers: [{ name: 'Ada' }] }
    await createEmulator({ database: file(), dataset }).close()
    const again = createEmulator({ database: file() })
    await again.apps.create({
      name: 'x',
      target: {
        fetch: (request) => Response.json({ code: new URL(request.url).searchParams.get('code') }),
      },
    })
    const { widgets } = await again.issues.open('iss_1')
    expect(widgets[0]?.parameters).toContainEqual(['organization_id', 'org_7'])
    again.reset()
    expect(again.issues.list().map(({ id }) => id)).toContain('iss_1042')
    await again.close()
  })

  test('in a missing folder is rejected with a fix', () => {
    expect(() => createEmulator({ database: join(folder, 'no/such/folder.sqlite') })).toThrow(
      expect.objectContaining({
        code: 'database_unusable',
        message: `Cannot open or write ${join(folder, 'no/such/folder.sqlite')}. Check that the folder exists, that you have write permission, and that the disk is not full.`,
        cause: expect.objectContaining({ code: 'ENOENT' }),
      }),
    )
  })
})

/** Creates tasks one after another, and prints each title once the API has acknowledged it. */
const WRITER = `
const { createEmulator } = await import(process.argv[1])
const emulator = createEmulator({ database: process.argv[2] })
for (let count = 0; ; count += 1) {
  const response = await emulator.fetch(emulator.url + '/tasks?title=task-' + count, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + emulator.accessToken },
  })
  if (response.status === 200) process.stdout.write('task-' + count + '\\n')
}
`

test('every acknowledged write survives kill -9', async () => {
  const module = new URL('../../../src/tools/emulator/index.ts', import.meta.url).href
  for (let round = 0; round < 3; round += 1) {
    const writer = spawn(
      process.execPath,
      ['--input-type=module', '--eval', WRITER, module, file()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let printed = ''
    writer.stdout.setEncoding('utf8')
    for await (const chunk of writer.stdout) {
      printed += String(chunk)
      if (printed.split('\n').length > 20 + round * 7) writer.kill('SIGKILL')
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
    // The last line may be incomplete.
    const acknowledged = printed.split('\n').slice(0, -1)
    const emulator = createEmulator({ database: file() })
    const stored = JSON.stringify(emulator.snapshot())
    expect(acknowledged.filter((title) => !stored.includes(`"title":"${title}"`))).toEqual([])
    await emulator.close()
  }
}, 30_000)

describe('a snapshot', () => {
  test('restores everything', async () => {
    const emulator = createEmulator()
    const before = emulator.snapshot()
    await createTask(emulator, 'later')
    expect(emulator.snapshot()).not.toEqual(before)
    emulator.restore(before)
    expect(emulator.snapshot()).toEqual(before)
  })

  test.each([{}, { kind: 'tag', parent: '', body: {} }, { kind: 1, parent: '', id: 'x' }, null])(
    'with the document %j is rejected, and nothing changes',
    (document) => {
      const emulator = createEmulator()
      const before = emulator.snapshot()
      expect(() => emulator.restore({ documents: [document as never] })).toThrow(
        expect.objectContaining({
          code: 'invalid_options',
          message: 'emulator.restore: documents must be an array of documents.',
        }),
      )
      expect(emulator.snapshot()).toEqual(before)
    },
  )

  test('restores the state of an app', async () => {
    const emulator = createEmulator()
    const target = sidecard({ header: { title: 'App' }, auth: noAuth(), fetchData: () => [] })
    const { id } = await emulator.apps.create({ name: 'App', target })
    const before = emulator.snapshot()
    emulator.apps.disconnect(id)
    emulator.restore(before)
    expect(emulator.apps.get(id).state).toBe('connected')
  })
})

test('a reset restores the data set and removes the apps and logs', async () => {
  const emulator = createEmulator()
  const before = emulator.snapshot()
  await emulator.apps.create({ name: 'x', target: { fetch: () => new Response() } })
  await createTask(emulator, 'later')
  emulator.reset()
  expect(emulator.snapshot()).toEqual(before)
  expect([emulator.apps.list(), emulator.requests.list(), emulator.exchanges.list()]).toEqual([
    [],
    [],
    [],
  ])
})

test('`await using` closes it', async () => {
  {
    await using emulator = createEmulator({ database: file() })
    await createTask(emulator, 'x')
  }
  const again = createEmulator({ database: file() })
  expect(JSON.stringify(again.snapshot())).toContain('"title":"x"')
  await again.close()
})
