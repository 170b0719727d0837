import { existsSync } from 'node:fs'
import { findPostgres } from '../helpers/postgres.ts'

/** The programs that the scale test needs, from Debian's packages. */
export interface Programs {
  readonly haproxy: string
  readonly redis: string
  /** The folder of `initdb` and `pg_ctl`. */
  readonly postgres: string
}

/**
 * Finds the programs.
 *
 * @throws {Error} with the names of all missing programs, because the scale test is never skipped
 */
export function findPrograms(): Programs {
  const find = (name: string) =>
    ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
      .map((folder) => `${folder}/${name}`)
      .find((path) => existsSync(path))
  const found = {
    haproxy: find('haproxy'),
    redis: find('redis-server'),
    postgres: findPostgres(),
  }
  const missing = Object.entries(found).flatMap(([name, path]) =>
    path === undefined ? [name] : [],
  )
  if (missing.length > 0) {
    throw new Error(
      `Not installed: ${missing.join(', ')}. Run apt-get install haproxy redis-server postgresql.`,
    )
  }
  return found as Programs
}
