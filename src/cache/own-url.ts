import { FETCH_DATA_PARAMETERS } from '../contract/parameters.ts'
import type { CacheScope } from '../internal/cache-types.ts'

const CONTRACT_NAMES: ReadonlySet<string> = new Set([
  'request_type',
  'code',
  ...FETCH_DATA_PARAMETERS,
])

/** A longer query keeps its order, because sorting it costs more than the rest of a request. */
const MAX_SORTED = 100

const urls = new WeakMap<CacheScope, string>()

/**
 * Returns the URL of a request without the contract's parameters and with its own
 * ones sorted by name. Encoded names count as they are written, and are not
 * sorted: two URLs with different values never become equal.
 */
export function ownUrl(ctx: CacheScope): string {
  let url = urls.get(ctx)
  if (url === undefined) urls.set(ctx, (url = removeContractParameters(ctx.c.req.url)))
  return url
}

function removeContractParameters(url: string): string {
  const [, base = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  const own = query.split('&').filter((pair) => pair !== '' && !CONTRACT_NAMES.has(readName(pair)))
  if (own.length === 0) return base
  if (own.length <= MAX_SORTED && !own.some((pair) => /[%+]/.test(readName(pair)))) {
    own.sort((a, b) => (readName(a) < readName(b) ? -1 : readName(a) > readName(b) ? 1 : 0))
  }
  return `${base}?${own.join('&')}`
}

function readName(pair: string): string {
  const end = pair.indexOf('=')
  return end === -1 ? pair : pair.slice(0, end)
}
