import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { CacheScope } from '../internal/cache-types.ts'
import { hash } from './cache-key.ts'

/** The contract's parameters in a query, each with the `&` before it. */
const CONTRACT_PAIRS = new RegExp(
  `&(?:${['request_type', 'code', ...FETCH_DATA_PARAMETERS].join('|')})(?:=[^&]*)?(?=&|$)`,
  'g',
)

/** A longer query keeps its order, because sorting it costs more than the rest of a request. */
const MAX_SORTED = 100

/** A longer URL is hashed, because it is part of every section's key. */
const MAX_LENGTH = 1_000

const urls = new WeakMap<CacheScope, string | Promise<string>>()

/**
 * Returns the URL of a request without the contract's parameters and with its own
 * ones sorted by name, or the hash of a long one. Encoded names are neither
 * decoded nor sorted, so that two URLs with different values never become equal.
 */
export async function ownUrl(ctx: CacheScope): Promise<string> {
  let url = urls.get(ctx)
  if (url === undefined) {
    const own = removeContractParameters(ctx.c.req.url)
    urls.set(ctx, (url = own.length > MAX_LENGTH ? hash(own) : own))
  }
  return url
}

function removeContractParameters(url: string): string {
  const [, base = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const own = `&${query}`.replaceAll(CONTRACT_PAIRS, '')
  const parts = own.slice(1).split('&', MAX_SORTED + 1)
  if (parts.length > MAX_SORTED) return `${base}?${own}`
  const pairs = parts.filter((part) => part !== '')
  if (!pairs.some((pair) => /[%+]/.test(readName(pair)))) {
    pairs.sort((a, b) => (readName(a) < readName(b) ? -1 : readName(a) > readName(b) ? 1 : 0))
  }
  return `${base}?${pairs.join('&')}`
}

function readName(pair: string): string {
  const end = pair.indexOf('=')
  return end === -1 ? pair : pair.slice(0, end)
}
