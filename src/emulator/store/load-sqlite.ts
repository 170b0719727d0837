import { createRequire } from 'node:module'
import type * as Sqlite from 'node:sqlite'

/**
 * Loads Node's SQLite module on first use. Older Node versions do not have it,
 * and a static import would fail before the emulator can report that. The warning
 * of some versions that it is experimental is suppressed.
 */
export function loadSqlite(): typeof Sqlite {
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning')
  process.emitWarning = () => undefined
  try {
    return createRequire(import.meta.url)('node:sqlite') as typeof Sqlite
  } finally {
    if (original === undefined) Reflect.deleteProperty(process, 'emitWarning')
    else Object.defineProperty(process, 'emitWarning', original)
  }
}
