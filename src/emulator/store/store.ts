import type { DocumentKind, Documents } from './documents.ts'
import { databaseError, openDatabase } from './database.ts'

/** A stored document; its ID is unique within its kind and parent. */
export interface StoredDocument {
  readonly kind: string
  /** The ID of the document that it belongs to, or empty. */
  readonly parent: string
  readonly id: string
  readonly body: unknown
}

/** Documents of one kind, in the order they were written. */
export interface DocumentPage<Kind extends DocumentKind> {
  readonly bodies: ReadonlyArray<Documents[Kind]>
  /** The position of the last document, if there are more. */
  readonly next: number | undefined
}

/** Documents in SQLite. Every change is on disk when a call returns. */
export interface Store {
  get<Kind extends DocumentKind>(
    kind: Kind,
    id: string,
    parent?: string,
  ): Documents[Kind] | undefined
  all<Kind extends DocumentKind>(kind: Kind, parent?: string): ReadonlyArray<Documents[Kind]>
  page<Kind extends DocumentKind>(kind: Kind, after: number, limit: number): DocumentPage<Kind>
  /** Writes a document. It replaces an existing one with the same ID. */
  put<Kind extends DocumentKind>(
    kind: Kind,
    id: string,
    body: Documents[Kind],
    parent?: string,
  ): void
  remove(kind: DocumentKind, id: string): void
  setting(name: string): string | undefined
  setSetting(name: string, value: string): void
  /** Returns every document, for `replace`. */
  dump(): readonly StoredDocument[]
  /** Replaces all documents, except those of the kinds in `keep`, in one transaction. */
  replace(documents: Iterable<StoredDocument>, keep?: readonly DocumentKind[]): void
  close(): void
}

/**
 * Opens a store.
 *
 * @throws {SidecardError} as `openDatabase` does, and later `database_unusable` if a write fails
 */
export function openStore(path: string): Store {
  const database = openDatabase(path)
  const statements = {
    get: database.prepare('SELECT body FROM documents WHERE kind = ? AND parent = ? AND id = ?'),
    all: database.prepare(
      'SELECT body FROM documents WHERE kind = ? AND parent = ? ORDER BY position',
    ),
    page: database.prepare(
      "SELECT position, body FROM documents WHERE kind = ? AND parent = '' AND position > ? ORDER BY position LIMIT ?",
    ),
    put: database.prepare(
      'INSERT INTO documents (kind, parent, id, body) VALUES (?, ?, ?, ?) ON CONFLICT (kind, parent, id) DO UPDATE SET body = excluded.body',
    ),
    remove: database.prepare("DELETE FROM documents WHERE kind = ? AND parent = '' AND id = ?"),
    dump: database.prepare('SELECT kind, parent, id, body FROM documents ORDER BY position'),
    setting: database.prepare('SELECT value FROM settings WHERE name = ?'),
    setSetting: database.prepare(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    ),
  }
  const attempt = <Result>(action: () => Result): Result => {
    try {
      return action()
    } catch (error) {
      throw databaseError(error, path)
    }
  }

  return {
    get(kind, id, parent = '') {
      const row = attempt(() => statements.get.get(kind, parent, id))
      return row === undefined ? undefined : parse(row)
    },
    all: (kind, parent = '') =>
      attempt(() => statements.all.all(kind, parent)).map((row) => parse(row)),
    page(kind, after, limit) {
      const rows = attempt(() => statements.page.all(kind, after, limit + 1))
      const shown = rows.slice(0, limit)
      return {
        bodies: shown.map((row) => parse(row)),
        next: rows.length > limit ? Number(shown.at(-1)?.['position']) : undefined,
      }
    },
    put(kind, id, body, parent = '') {
      attempt(() => statements.put.run(kind, parent, id, JSON.stringify(body)))
    },
    remove(kind, id) {
      attempt(() => statements.remove.run(kind, id))
    },
    setting: (name) => {
      const value = attempt(() => statements.setting.get(name))?.['value']
      return typeof value === 'string' ? value : undefined
    },
    setSetting(name, value) {
      attempt(() => statements.setSetting.run(name, value))
    },
    dump: () =>
      attempt(() => statements.dump.all()).map((row) => ({
        kind: String(row['kind']),
        parent: String(row['parent']),
        id: String(row['id']),
        body: parse(row),
      })),
    replace(documents, keep = []) {
      const placeholders = keep.map(() => '?').join(', ')
      attempt(() => {
        database.exec('BEGIN IMMEDIATE')
        try {
          database.prepare(`DELETE FROM documents WHERE kind NOT IN (${placeholders})`).run(...keep)
          for (const { kind, parent, id, body } of documents) {
            statements.put.run(kind, parent, id, JSON.stringify(body))
          }
          database.exec('COMMIT')
        } catch (error) {
          database.exec('ROLLBACK')
          throw error
        }
      })
    },
    close: () => database.close(),
  }
}

/** The type of a document follows from its kind: only `put` and `replace` write one. */
function parse<Body>(row: Record<string, unknown>): Body {
  return JSON.parse(String(row['body'])) as Body
}
