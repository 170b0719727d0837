import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { SidecardError } from '../../internal/errors.ts'
import { assertNodeVersion } from '../../internal/assert-node-version.ts'
import { loadSqlite } from './load-sqlite.ts'

/** The application ID of Sidecard's database files ("SdCd"). Other databases are never modified. */
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
 * Opens or creates the database file of an emulator, readable by its owner only.
 * Acknowledged writes are on disk, even after `kill -9`. A second emulator cannot
 * open the same file.
 *
 * @param path a file, or `:memory:`
 * @throws {SidecardError} `database_locked`, `database_corrupt`, `database_foreign`, `database_newer` or `database_unusable`: the file is not modified.
 */
export function openDatabase(path: string): DatabaseSync {
  assertNodeVersion('sidecard/emulator')
  const { DatabaseSync } = loadSqlite()
  let database: DatabaseSync | undefined
  try {
    if (path !== ':memory:') createPrivately(path)
    database = new DatabaseSync(path, { timeout: 250 })
    prepare(database, path)
    if (path !== ':memory:') restrictToOwner(path)
    return database
  } catch (error) {
    closeQuietly(database)
    throw error instanceof SidecardError ? error : databaseError(error, path)
  }
}

const OWNER_ONLY = 0o600

/**
 * Creates a missing file before SQLite does, because SQLite would make it
 * readable for other users.
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The files contain the secrets in the apps' headers. */
function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`]) {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY)
  }
}

function prepare(database: DatabaseSync, path: string): void {
  // The locking mode is set before the first read, so that the lock is held until the process
  // ends.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  const isNew = pragma(database, 'schema_version') === 0
  if (!isNew) assertUsableDatabase(database, path)
  if (path !== ':memory:') database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('BEGIN IMMEDIATE')
  if (isNew) {
    database.exec(
      `${SCHEMA}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${FORMAT}`,
    )
  }
  database.exec('COMMIT')
}

function assertUsableDatabase(database: DatabaseSync, path: string): void {
  if (pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new SidecardError(
      'database_foreign',
      `${path} is not a Sidecard database. Choose another file.`,
    )
  }
  const format = pragma(database, 'user_version')
  if (format !== FORMAT) {
    throw new SidecardError(
      'database_newer',
      `${path} was written by a newer version of sidecard (format ${format}; this version supports ${FORMAT}). Update sidecard or choose another file.`,
    )
  }
  const result = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0]
  if (result !== 'ok') throw corrupt(path)
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** SQLite's result codes that have specific messages. */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** Converts an SQLite error to one that says what to do. */
export function databaseError(error: unknown, path: string): SidecardError {
  const code = Number((error as { errcode?: unknown } | null)?.errcode) & 0xff
  if (code === BUSY || code === LOCKED) {
    return new SidecardError(
      'database_locked',
      `Another emulator is using ${path}. Stop it or choose another file.`,
      { cause: error },
    )
  }
  if ((error as { code?: unknown } | null)?.code === 'ERR_INVALID_STATE') {
    return new SidecardError('database_unusable', 'The emulator is closed. Create another one.', {
      cause: error,
    })
  }
  if (code === CORRUPT || code === NOT_A_DATABASE) return corrupt(path, error)
  return new SidecardError(
    'database_unusable',
    `Cannot open or write ${path}. Check that the folder exists, that you have write permission, and that the disk is not full.`,
    { cause: error },
  )
}

function corrupt(path: string, cause?: unknown): SidecardError {
  return new SidecardError(
    'database_corrupt',
    `${path} is corrupt or not a database. It was not modified. Move it to start fresh, or restore a backup.`,
    { cause },
  )
}

function closeQuietly(database: DatabaseSync | undefined): void {
  try {
    database?.close()
  } catch {
    // It was never opened; the first error says why.
  }
}
