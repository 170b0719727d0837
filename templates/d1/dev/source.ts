/** The database of the tests: D1 in memory, with the migrations and the seed of development. */
import { readdir, readFile } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { getPlatformProxy } from 'wrangler'
import type { Env } from '../src/env.ts'

const proxy = await getPlatformProxy<Env>({ persist: false })
afterAll(() => proxy.dispose())

export const database = proxy.env.DB
const migrations = (await readdir('migrations')).sort().map((name) => `migrations/${name}`)
for (const file of [...migrations, 'dev/seed.sql']) {
  const statements = (await readFile(file, 'utf8'))
    .replaceAll(/^--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim() !== '')
  await database.batch(statements.map((statement) => database.prepare(statement)))
}
