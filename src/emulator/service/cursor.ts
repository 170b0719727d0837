/**
 * Cursors say where a list goes on. They are opaque to clients; a cursor of
 * another list, or one that was made up, is told from a real one.
 */

/** The cursor after a position of a list. */
export function writeCursor(kind: string, position: number): string {
  return btoa(JSON.stringify([kind, position]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The position that a cursor of this list stands for; `undefined` when it is none. */
export function readCursor(kind: string, cursor: string): number | undefined {
  try {
    const value: unknown = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
    if (!Array.isArray(value) || value.length !== 2 || value[0] !== kind) return undefined
    return Number.isSafeInteger(value[1]) && value[1] >= 0 ? value[1] : undefined
  } catch {
    return undefined
  }
}
