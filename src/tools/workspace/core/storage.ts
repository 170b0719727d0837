const local = () => localStorage

/**
 * Reads a JSON value from the browser's storage. Returns null if there is none,
 * or if storage is denied.
 */
export function readStored(name: string, storage = local): unknown {
  try {
    return JSON.parse(storage().getItem(`sidecard.${name}`) ?? 'null')
  } catch {
    return null
  }
}

/** Writes a JSON value. Returns whether storage is allowed and has the space. */
export function writeStored(name: string, value: unknown, storage = local): boolean {
  try {
    storage().setItem(`sidecard.${name}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
