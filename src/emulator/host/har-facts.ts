import { createLinkFinder, findLinks, type LinkUse } from '../../service/links.ts'
import { parseBody } from './anonymize-exchange.ts'
import type { LoggedExchange } from './exchange-log.ts'

/** Facts about requests that anonymized URLs and bodies no longer show. */
export type HarFacts = ReturnType<typeof createFacts>

/** Reads the facts of the requests of a HAR document. */
export function createFacts(exchanges: readonly LoggedExchange[]) {
  const numbers = new Map<string, number>()
  const paths = new Set(exchanges.map(({ request }) => new URL(request.url).pathname))
  let findUse: ReturnType<typeof createLinkFinder> | undefined
  return {
    /** Returns the same number for the same URL. */
    numberOf(url: string): number {
      const number = numbers.get(url) ?? numbers.size
      numbers.set(url, number)
      return number
    },
    /** Returns whether a URL is that of a link in a payload. */
    linkUse(url: string): LinkUse | undefined {
      findUse ??= createLinkFinder(
        exchanges.flatMap(({ kind, response }) =>
          kind === 'fetch_data' && response !== null ? findLinks(parseBody(response.body)) : [],
        ),
      )
      return findUse(new URL(url))
    },
    isEndpointPath: (pathname: string) => paths.has(pathname),
  }
}
