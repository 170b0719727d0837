import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { findFreePort } from './free-port.ts'
import { findPostgres, startPostgres } from './postgres.ts'
import type { Scaffold } from './scaffold.ts'

/**
 * Returns the environment of a project with PostgreSQL: a server, with the tables and the customers
 * of the project. Its processes start much faster than with the embedded PostgreSQL, which remains
 * if PostgreSQL is not installed.
 */
export async function migratedDatabase(project: Scaffold): Promise<Record<string, string>> {
  const bin = findPostgres()
  if (bin === undefined) return {}
  const server = startPostgres(bin, await findFreePort())
  onTestFinished(() => server.stop())
  const env = { DATABASE_URL: server.url }
  const { exitCode, output } = project.npm(['run', 'migrate'], env)
  if (exitCode !== 0) throw new Error(output)
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(await readFile(join(project.folder, 'dev/seed.sql'), 'utf8'))
  await client.end()
  return env
}
