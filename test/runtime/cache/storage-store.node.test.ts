import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStorage } from 'unstorage'
import fsDriver from 'unstorage/drivers/fs'
import memoryDriver from 'unstorage/drivers/memory'
import { storageStore } from 'sidecard/cache'
import { createCache, createNumberedSource, fetchContent } from '../../helpers/cache.ts'

test('unstorage with its memory driver keeps payloads', async () => {
  const store = storageStore(createStorage({ driver: memoryDriver() }))
  const cache = createCache({ store, ttlSeconds: 60 })
  const source = createNumberedSource()
  const { scope } = await fetchContent(cache, source)
  await scope.finish()
  expect((await fetchContent(cache, source)).text).toBe('hit {"n":1}')
})

test('unstorage with its fs driver keeps payloads for the next process', async () => {
  const base = await mkdtemp(join(tmpdir(), 'sidecard-'))
  const create = () =>
    createCache(
      { store: storageStore(createStorage({ driver: fsDriver({ base }) })), ttlSeconds: 60 },
      'on disk',
    )
  const source = createNumberedSource()
  const { scope } = await fetchContent(create(), source)
  await scope.finish()
  expect((await fetchContent(create(), source)).text).toBe('hit {"n":1}')

  const [name] = (await readdir(base, { recursive: true })).filter((path) =>
    /[0-9a-f]{64}/.test(path),
  )
  const file = join(base, name!)
  const entry = await readFile(file, 'utf8')
  await writeFile(file, entry.replace('{"n":1}', '{"n":'))
  const { text, scope: poisoned } = await fetchContent(create(), source)
  expect(text).toBe('miss {"n":2}')
  expect(poisoned.warnings).toMatchObject([{ problem: 'invalid_entry' }])
  await poisoned.finish()
  await rm(base, { recursive: true })
})
