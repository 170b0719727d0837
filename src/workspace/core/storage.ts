/**
 * Reads a JSON value from the browser's storage. Returns null if there is none,
 * or if storage is denied.
 */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`sidecard.${name}`) ?? 'null')
  } catch {
    return null
  }
}

/** Writes a JSON value, if storage is allowed. */
export function writeStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(`sidecard.${name}`, JSON.stringify(value))
  } catch {
    // Storage is full or denied: the value lasts as long as the page.
  }
}
