import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noAuth, sidecard } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidecard-emulator-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const file = () => join(folder, 'emulator.sqlite')

async function createTask(emulator: ReturnType<typeof createEmulator>, title: string) {
  const response = await emulator.fetch(`${emulator.url}/tasks?title=${title}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${emulator.accessToken}` },
  })
  expect(response.status).toBe(200)
}

describe('a database file', () => {
  test('survives a restart, apps and their headers included', async () => {
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

  test('keeps its own seed when it is opened with another', async () => {
    await createEmulator({ database: file(), seed: 'empty' }).close()
    const again = createEmulator({ database: file(), seed: 'large' })
    expect(again.issues.list()).toEqual([])
    await again.close()
  })

  test('that another emulator has open is refused', async () => {
    const first = createEmulator({ database: file() })
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_locked' }),
    )
    await first.close()
  })

  test.each([
    ['no database', Buffer.from('this is a letter to my aunt, not a database\n'.repeat(200))],
    ['random bytes', Buffer.from(Array.from({ length: 8_192 }, (_, index) => (index * 97) % 251))],
  ])('that is %s is refused and left as it is', (_name, content) => {
    writeFileSync(file(), content)
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_corrupt' }),
    )
    expect(readFileSync(file()).equals(content)).toBe(true)
  })

  test('that was damaged in the middle is refused and left as it is', async () => {
    await createEmulator({ database: file(), seed: 'large' }).close()
    const bytes = readFileSync(file())
    bytes.fill(0x5a, 4_096, 4_096 * 6)
    writeFileSync(file(), bytes)
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_corrupt' }),
    )
    expect(readFileSync(file()).equals(bytes)).toBe(true)
  })

  test('of another program is refused and left as it is', () => {
    const theirs = new DatabaseSync(file())
    theirs.exec('CREATE TABLE precious (value TEXT)')
    theirs.close()
    const before = readFileSync(file())
    expect(() => createEmulator({ database: file() })).toThrow(
      expect.objectContaining({ code: 'database_foreign' }),
    )
    expect(readFileSync(file()).equals(before)).toBe(true)
  })

  test('in a folder that does not exist is refused with what to do', () => {
    expect(() => createEmulator({ database: join(folder, 'no/such/folder.sqlite') })).toThrow(
      expect.objectContaining({
        code: 'database_unusable',
        message: expect.stringContaining('folder'),
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
  const module = new URL('../../src/emulator/index.ts', import.meta.url).href
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
    // The last line may have been cut by the end of the process.
    const acknowledged = printed.split('\n').slice(0, -1)
    const emulator = createEmulator({ database: file() })
    const stored = JSON.stringify(emulator.snapshot())
    expect(acknowledged.filter((title) => !stored.includes(`"title":"${title}"`))).toEqual([])
    await emulator.close()
  }
}, 30_000)

describe('a snapshot', () => {
  test('brings everything back', async () => {
    const emulator = createEmulator()
    const before = emulator.snapshot()
    await createTask(emulator, 'later')
    expect(emulator.snapshot()).not.toEqual(before)
    emulator.restore(before)
    expect(emulator.snapshot()).toEqual(before)
  })

  test('brings back the state of an app', async () => {
    const emulator = createEmulator()
    const target = sidecard({ header: { title: 'App' }, auth: noAuth(), fetchData: () => [] })
    const { id } = await emulator.apps.create({ name: 'App', target })
    const before = emulator.snapshot()
    emulator.apps.disconnect(id)
    emulator.restore(before)
    expect(emulator.apps.get(id).state).toBe('connected')
  })
})

test('a reset gives the seed back and takes the apps and logs away', async () => {
  const emulator = createEmulator()
  const before = emulator.snapshot()
  await emulator.apps.create({ name: 'x', target: { fetch: () => new Response() } })
  await createTask(emulator, 'later')
  emulator.reset()
  expect(emulator.snapshot()).toEqual(before)
  expect([emulator.apps.list(), emulator.requests, emulator.exchanges()]).toEqual([[], [], []])
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
