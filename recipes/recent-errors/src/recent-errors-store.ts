import { memoryStore } from 'sidecard/cache'

/** The store of the cached section: the memory of this process. */
export const store = memoryStore()
