/**
 * Cursors mark the position where a list continues. They are opaque to clients.
 * Cursors of other lists and invented ones are rejected.
 */

/** Encodes a position of a list as a cursor. */
export function encodeCursor(kind: string, position: number): string {
  return btoa(JSON.stringify([kind, position]))
}

/** Decodes a cursor of a list. Returns `undefined` if it is invalid. */
export function decodeCursor(kind: string, cursor: string): number | undefined {
  try {
    const value: unknown = JSON.parse(atob(cursor))
    if (!Array.isArray(value) || value.length !== 2 || value[0] !== kind) return undefined
    return Number.isSafeInteger(value[1]) && value[1] >= 0 ? value[1] : undefined
  } catch {
    return undefined
  }
}
