import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import type * as Sqlite from 'node:sqlite'
import type { DatabaseSync } from 'node:sqlite'
import { SidecardError } from '../../../runtime/internal/errors.ts'
import { assertNodeVersion } from '../../internal/assert-node-version.ts'

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
  const sqlite = loadSqlite()
  let database: DatabaseSync | undefined
  try {
    // SQLite would create a missing file that other users can read.
    if (path !== ':memory:') closeSync(openSync(path, 'a', OWNER_ONLY))
    database = new sqlite.DatabaseSync(path, { timeout: 250 })
    prepare(database, path)
    if (path !== ':memory:') restrictToOwner(path)
    return database
  } catch (error) {
    database?.close()
    throw error instanceof SidecardError ? error : databaseError(error, path)
  }
}

/**
 * Loads Node's SQLite module on first use. Older Node versions do not have it, and
 * a static import would fail before the emulator can report that. The warning of
 * some versions that the module is experimental is suppressed.
 */
function loadSqlite(): typeof Sqlite {
  // oxlint-disable-next-line typescript/unbound-method -- it returns to its object below
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

const OWNER_ONLY = 0o600

/** Restricts the files to their owner, because they contain the secrets in the apps' headers. */
function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`]) {
    if (existsSync(file)) chmodSync(file, OWNER_ONLY)
  }
}

function prepare(database: DatabaseSync, path: string): void {
  // The locking mode is set before the first read, so that the lock is held until the process
  // ends.
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  const isNew = readPragma(database, 'schema_version') === 0
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
  if (readPragma(database, 'application_id') !== APPLICATION_ID) {
    const message = `${path} is not a Sidecard database. Choose another file.`
    throw new SidecardError('database_foreign', message)
  }
  const format = readPragma(database, 'user_version')
  if (format !== FORMAT) {
    const message = `${path} was written by a newer version of sidecard (format ${String(format)}; this version supports ${FORMAT}). Update sidecard or choose another file.`
    throw new SidecardError('database_newer', message)
  }
  if (readPragma(database, 'quick_check(1)') !== 'ok') throw corrupt(path)
}

function readPragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
}

/** The result codes of SQLite that have their own messages. */
const BUSY = 5
const LOCKED = 6
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** Converts an error of SQLite, or of parsing a document, to one with a fix. */
export function databaseError(cause: unknown, path: string): SidecardError {
  const { errcode, code } = (cause ?? {}) as { readonly errcode?: number; readonly code?: string }
  const result = Number(errcode) & 0xff
  if (result === BUSY || result === LOCKED) {
    const message = `Another emulator is using ${path}. Stop it or choose another file.`
    return new SidecardError('database_locked', message, { cause })
  }
  if (code === 'ERR_INVALID_STATE') {
    const message = 'The emulator is closed. Create another one.'
    return new SidecardError('database_unusable', message, { cause })
  }
  if (result === CORRUPT || result === NOT_A_DATABASE || cause instanceof SyntaxError) {
    return corrupt(path, cause)
  }
  const message = `Cannot open or write ${path}. Check that the folder exists, that you have write permission, and that the disk is not full.`
  return new SidecardError('database_unusable', message, { cause })
}

function corrupt(path: string, cause?: unknown): SidecardError {
  const message = `${path} is corrupt or not a database. It was not modified. Move it to start fresh, or restore a backup.`
  return new SidecardError('database_corrupt', message, { cause })
}
