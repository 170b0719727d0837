import { SidecardError } from '../../../runtime/internal/errors.ts'
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

/** Documents in SQLite. Every change is on disk when a call returns. */
export type Store = ReturnType<typeof openStore>

/**
 * Opens a store.
 *
 * @throws {SidecardError} as `openDatabase` does, and later `database_unusable` if a write fails
 */
export function openStore(path: string) {
  const database = openDatabase(path)
  const prepare = (sql: string) => database.prepare(sql)
  const statements = {
    get: prepare('SELECT body FROM documents WHERE kind = ? AND parent = ? AND id = ?'),
    all: prepare('SELECT body FROM documents WHERE kind = ? AND parent = ? ORDER BY position'),
    page: prepare(
      "SELECT position, body FROM documents WHERE kind = ? AND parent = '' AND position > ? ORDER BY position LIMIT ?",
    ),
    put: prepare(
      'INSERT INTO documents (kind, parent, id, body) VALUES (?, ?, ?, ?) ON CONFLICT (kind, parent, id) DO UPDATE SET body = excluded.body',
    ),
    remove: prepare("DELETE FROM documents WHERE kind = ? AND parent = '' AND id = ?"),
    dump: prepare('SELECT kind, parent, id, body FROM documents ORDER BY position'),
    setting: prepare('SELECT value FROM settings WHERE name = ?'),
    setSetting: prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)'),
  }
  const attempt = <Result>(action: () => Result): Result => {
    try {
      return action()
    } catch (error) {
      throw databaseError(error, path)
    }
  }

  function get<Kind extends DocumentKind>(
    kind: Kind,
    id: string,
    parent = '',
  ): Documents[Kind] | undefined {
    return attempt(() => {
      const row = statements.get.get(kind, parent, id)
      return row === undefined ? undefined : parse(row)
    })
  }

  return {
    get,
    /** Returns an app or an issue. @throws {SidecardError} `not_found` */
    find<Kind extends 'app' | 'issue'>(kind: Kind, id: string): Documents[Kind] {
      // Plain JavaScript can pass any value, and SQLite does not accept all of them.
      const found = typeof id === 'string' ? get(kind, id) : undefined
      if (found !== undefined) return found
      throw new SidecardError('not_found', `No ${kind} has this ID.`)
    },
    /** Returns the documents of a kind, in the order they were written. */
    all<Kind extends DocumentKind>(kind: Kind, parent = ''): ReadonlyArray<Documents[Kind]> {
      return attempt(() => statements.all.all(kind, parent).map((row) => parse(row)))
    },
    /** Returns the documents after a position, and the position of the last one if there are more. */
    page<Kind extends DocumentKind>(kind: Kind, after: number, limit: number) {
      return attempt(() => {
        const rows = statements.page.all(kind, after, limit + 1)
        const shown = rows.slice(0, limit)
        const bodies = shown.map((row): Documents[Kind] => parse(row))
        const next = rows.length > limit ? Number(shown.at(-1)?.['position']) : undefined
        return { bodies, next }
      })
    },
    /** Writes a document. It replaces an existing one with the same ID. */
    put<Kind extends DocumentKind>(kind: Kind, id: string, body: Documents[Kind], parent = '') {
      attempt(() => statements.put.run(kind, parent, id, JSON.stringify(body)))
    },
    remove(kind: DocumentKind, id: string): void {
      attempt(() => statements.remove.run(kind, id))
    },
    setting(name: string): string | undefined {
      const value = attempt(() => statements.setting.get(name))?.['value']
      return typeof value === 'string' ? value : undefined
    },
    setSetting(name: string, value: string): void {
      attempt(() => statements.setSetting.run(name, value))
    },
    /** Returns every document, for `replace`. */
    dump: (): readonly StoredDocument[] =>
      attempt(() =>
        (statements.dump.all() as Row[]).map((row) => ({ ...row, body: parse<unknown>(row) })),
      ),
    /** Replaces all documents, except those of the kinds in `keep`, in one transaction. */
    replace(documents: Iterable<StoredDocument>, keep: readonly DocumentKind[] = []): void {
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

/** A row of the table of documents, whose columns are required strings. */
type Row = Pick<StoredDocument, 'kind' | 'parent' | 'id'> & Record<string, unknown>

/**
 * Parses a document. Its type follows from its kind, because only `put` and
 * `replace` write documents.
 */
function parse<Body>(row: Record<string, unknown>): Body {
  return JSON.parse(String(row['body'])) as Body
}
