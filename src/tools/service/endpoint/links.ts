/** The way in which a request opens a link. */
export interface LinkUse {
  /** `cut`: the request only has the beginning of the link's query. */
  readonly use: 'whole' | 'cut'
  /** The length of the link in characters. */
  readonly length: number
}

/** The maximum depth, which no payload reaches. */
const MAX_DEPTH = 10

/** Returns the URLs of the links and buttons in a payload, even inside unknown components. */
export function findLinks(payload: unknown): readonly URL[] {
  return findNested(payload, 0)
}

function findNested(value: unknown, depth: number): URL[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    if (name !== 'url' || typeof child !== 'string') return findNested(child, depth + 1)
    const url = URL.parse(child)
    return url !== null && /^https?:$/.test(url.protocol) ? [url] : []
  })
}

/**
 * Creates a function that returns how a request opens one of the links. Hosts are
 * not compared, because a tunnel replaces them; a link to the root of a host is
 * ignored.
 */
export function createLinkFinder(links: readonly URL[]): (url: URL) => LinkUse | undefined {
  const byPath = Map.groupBy(links, ({ pathname }) => pathname)
  return ({ pathname, search }) => {
    const candidates = pathname + search === '/' ? [] : (byPath.get(pathname) ?? [])
    const whole = candidates.find((link) => link.search === search)
    if (whole !== undefined) return { use: 'whole', length: whole.href.length }
    const cut =
      search === '' ? undefined : candidates.find((link) => link.search.startsWith(search))
    return cut && { use: 'cut', length: cut.href.length }
  }
}
