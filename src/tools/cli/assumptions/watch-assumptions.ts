import { findLinks } from '../../service/endpoint/links.ts'
import {
  type AssumptionId,
  ASSUMPTIONS,
  nameOf,
  newParameters,
  type PastExchange,
  type SeenExchange,
} from './table.ts'

/** The maximum number of earlier exchanges that are compared. */
const MAX_EARLIER = 200

/** The results so far, by ID. */
export interface AssumptionSummary {
  readonly holds: readonly AssumptionId[]
  readonly doesNotHold: readonly AssumptionId[]
  readonly undecided: readonly AssumptionId[]
}

/**
 * Decides the assumptions of docs/assumptions.md based on exchanges.
 *
 * @param ownQuery the endpoint's own query, whose parameters are not new
 * @param print receives one line for each assumption that does not hold, and for
 * each parameter that the contract does not list
 */
export function watchAssumptions(ownQuery: URLSearchParams, print: (line: string) => void) {
  let earlier: readonly PastExchange[] = []
  let seen = 0
  const held = new Set<AssumptionId>()
  const failed = new Set<AssumptionId>()
  const known = new Set(ownQuery.keys())
  const ids = Object.keys(ASSUMPTIONS) as AssumptionId[]

  function see(exchange: SeenExchange): void {
    seen += 1
    for (const id of ids) {
      const { claim, decide } = ASSUMPTIONS[id]
      const decision = decide(exchange, earlier)
      if (decision === true) held.add(id)
      else if (decision !== undefined && !failed.has(id)) {
        failed.add(id)
        print(`assumption ${id} does not hold: ${decision}. Assumed: ${claim}`)
      }
    }
    if (exchange.isForEndpoint && exchange.status !== 401) {
      for (const name of newParameters(exchange).filter((each) => !known.has(each))) {
        known.add(name)
        print(`the request has a parameter that the contract does not list: ${nameOf(name)}`)
      }
    }
    const { body, ...past } = exchange
    earlier = [...earlier.slice(1 - MAX_EARLIER), { ...past, links: findLinks(body) }]
  }

  const summary = (): AssumptionSummary => ({
    holds: ids.filter((id) => held.has(id) && !failed.has(id)),
    doesNotHold: [...failed],
    undecided: ids.filter((id) => !held.has(id) && !failed.has(id)),
  })

  /** Formats the summary in one line; `undefined` if no exchange was seen. */
  function formatSummary(): string | undefined {
    if (seen === 0) return undefined
    const { holds, doesNotHold, undecided } = summary()
    const list = (found: readonly string[]) => (found.length === 0 ? 'none' : found.join(', '))
    return `assumptions in ${seen} ${seen === 1 ? 'request' : 'requests'}: hold: ${list(holds)}; false: ${list(doesNotHold)}; not decided: ${list(undecided)}`
  }

  return { see, summary, formatSummary }
}
