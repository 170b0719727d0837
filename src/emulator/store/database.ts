import { DatabaseSync } from 'node:sqlite'
import { SidecardError } from '../../errors.ts'

/** Marks a file as ours: "SdCd". A database of another program is never touched. */
const APPLICATION_ID = 0x53644364
const FORMAT = 1

const SCHEMA = `
  CREATE TABLE documents (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    parent TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, parent, id)
  ) STRICT;
  CREATE INDEX documents_in_order ON documents (kind, parent, position);
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`

/**
 * Opens the database file of an emulator, or makes it. What was acknowledged is
 * on the disk, also after `kill -9`; a second emulator cannot open the same file.
 *
 * @param path a file, or `:memory:`
 * @throws {SidecardError} `database_locked`, `database_corrupt`, `database_foreign`, `database_newer` or `database_unusable`: the file is left as it is.
 */
export function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { timeout: 250 })
    prepare(database, path)
    return database
  } catch (error) {
    closeQuietly(database)
    throw error instanceof SidecardError ? error : databaseError(error, path)
  }
}

function prepare(database: DatabaseSync, path: string): void {
  // Exclusive before the first read: the lock is then held as long as the process lives.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  const isNew = pragma(database, 'schema_version') === 0
  if (!isNew) inspect(database, path)
  if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('BEGIN IMMEDIATE')
  if (isNew) {
    database.exec(
      `${SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`,
    )
  }
  database.exec('COMMIT')
}

function inspect(database: DatabaseSync, path: string): void {
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new SidecardError(
      'database_foreign',
      `${path} is a database of another program: give a file of its own to --db.`,
    )
  }
  const format = pragma(database, 'user_version')
  if (format !== FORMAT) {
    throw new SidecardError(
      'database_newer',
      `${path} was written by a newer sidecard (format ${format}, this one knows ${FORMAT}): update sidecard, or give another file.`,
    )
  }
  const verdict = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
  if (verdict !== 'ok') throw corrupt(path)
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** SQLite's result codes that have something of their own to say to a user. */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** An error of SQLite as one that says what to do. */
export function databaseError(error: unknown, path: string): SidecardError {
  const code = Number((error as { errcode?: unknown } | null)?.errcode) & 0xff
  if (code === BUSY || code === LOCKED) {
    return new SidecardError(
      'database_locked',
      `${path} is in use by another emulator: stop that one, or give another file.`,
      { cause: error },
    )
  }
  if (code === CORRUPT || code === NOT_A_DATABASE) return corrupt(path, error)
  return new SidecardError(
    'database_unusable',
    `${path} cannot be opened or written: check that the folder exists, that you may write there, and that the disk has room.`,
    { cause: error },
  )
}

function corrupt(path: string, cause?: unknown): SidecardError {
  return new SidecardError(
    'database_corrupt',
    `${path} is damaged or no database. Nothing was changed: move it away to begin anew, or restore a copy.`,
    { cause },
  )
}

function closeQuietly(database: DatabaseSync | undefined): void {
  try {
    database?.close()
  } catch {
    // It was never opened; the first error is the one that says why.
  }
}
