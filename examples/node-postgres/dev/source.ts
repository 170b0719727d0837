/**
 * PostgreSQL embedded in this process, with a few customers, for development and
 * tests. It does nothing if DATABASE_URL is set. Production does not contain this
 * file.
 */
import { readdir, readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { getDatabase, useDatabase } from '../src/database.ts'

if (!process.env['DATABASE_URL']) {
  const embedded = new PGlite()
  const folder = new URL('../migrations/', import.meta.url)
  const migrations = (await readdir(folder)).sort().map((name) => new URL(name, folder))
  for (const file of [...migrations, new URL('./seed.sql', import.meta.url)]) {
    await embedded.exec(await readFile(file, 'utf8'))
  }
  process.env['DATABASE_URL'] = 'embedded'
  useDatabase(embedded)
}

export const database = getDatabase()
