/** The draft in the browser's storage. */
export interface StoredDraft {
  /** The JSON of the editor's state: text, selection and undo history. */
  readonly editor: unknown
  /** The most recently replaced text, for Restore. */
  readonly previous: string | null
}

const KEY = 'sidecard.playground'

/** A tab keeps its own draft. A new tab starts with the one that was stored last. */
const STORAGES = [() => sessionStorage, () => localStorage] as const

/** Reads the draft. Returns `null` if there is none. */
export function readDraft(): StoredDraft | null {
  for (const storage of STORAGES) {
    try {
      const stored: unknown = JSON.parse(readText(storage) ?? 'null')
      if (typeof stored !== 'object' || stored === null || !('editor' in stored)) continue
      const previous = 'previous' in stored && typeof stored.previous === 'string'
      return { editor: stored.editor, previous: previous ? String(stored.previous) : null }
    } catch {
      // Storage is denied, or another version wrote the draft.
    }
  }
  return null
}

/**
 * Stores the first of the drafts that fits into the browser's storage. Returns
 * whether one did. If none did, the older draft stays.
 */
export function writeDraft(...drafts: readonly (() => StoredDraft)[]): boolean {
  const older = STORAGES.map(readText)
  const isStored = drafts.some((draft) => {
    const text = JSON.stringify(draft())
    return STORAGES.map((storage) => store(storage, text)).includes(true)
  })
  if (isStored) return true
  for (const [index, storage] of STORAGES.entries()) {
    const text = older[index]
    if (text != null) store(storage, text)
  }
  return false
}

function readText(storage: () => Storage): string | null {
  try {
    return storage().getItem(KEY)
  } catch {
    return null
  }
}

function store(storage: () => Storage, text: string): boolean {
  try {
    // If only the other storage has room, an older draft here would hide the newer one.
    storage().removeItem(KEY)
    storage().setItem(KEY, text)
    return true
  } catch {
    return false
  }
}
