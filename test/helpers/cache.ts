import { answerStore, type AnswerPlace, type CacheEntry } from 'sidecard'

/** Finds everything that a store could be asked to keep, in the order of asking. */
export function recordingStore(entries = new Map<string, CacheEntry>()) {
  const keys: string[] = []
  const place: AnswerPlace = {
    async get(key) {
      return entries.get(key)
    },
    async set(key, entry) {
      keys.push(key)
      entries.set(key, entry)
    },
  }
  return { ...answerStore(place), place, keys, entries }
}

/** The address of a data fetch with these ids, percent-encoded. */
export function fetchDataPath(ids: Readonly<Record<string, string>>): string {
  return `/?${new URLSearchParams({ request_type: 'fetch_data', ...ids })}`
}

/** Lets everything run that needs no timer: hashes, too, which come back some turns later. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0))
}
