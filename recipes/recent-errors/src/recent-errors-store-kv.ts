import type { KVNamespace } from '@cloudflare/workers-types'
import { kvStore, memoryStore } from 'sidecard/cache'

const memory = memoryStore()

/**
 * Returns the store of the cached section: the KV namespace SECTIONS, or without it,
 * the memory of this instance of the Worker. KV is eventually consistent: another
 * location can show older content for a minute or more.
 */
export function store(env: object) {
  const { SECTIONS } = env as { readonly SECTIONS?: KVNamespace }
  return SECTIONS === undefined ? memory : kvStore(SECTIONS)
}
