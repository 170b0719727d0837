import { fetchDataQuery } from '../../service/endpoint/query.ts'
import type { FetchDataIds, Query } from '../../service/endpoint/query.ts'
import type { Plan } from './contract-probes.ts'
import type { Limiter } from './limiter.ts'
import type { FutureProbe } from '../probe.ts'

const EXTRA = ['sidecard_check', '1'] as const
const NOBODY = ['issue_id', 'requester_id', 'requester_email'] as const

/**
 * Sends data fetches that the contract allows but the service does not send
 * today. They reveal an endpoint that relies on the service's current behavior.
 */
export async function runFutureProbes(
  { prober, customer }: Plan,
  run: Limiter,
): Promise<readonly FutureProbe[]> {
  const { ids } = customer
  const [type, ...rest] = fetchDataQuery(ids) as [readonly [string, string]]
  const queries: ReadonlyArray<readonly [FutureProbe['kind'], string, Query]> = [
    ['extra_parameter', 'data fetch with an extra parameter', [type, ...rest, EXTRA]],
    [
      'other_order',
      'data fetch with the parameters in another order',
      [...rest.toReversed(), type],
    ],
    ['no_issue', 'data fetch without an issue', without(ids, ['issue_id'])],
    ['no_requester', 'data fetch without a requester', without(ids, NOBODY)],
  ]
  return Promise.all(
    queries.map(([kind, name, query]) =>
      run(async () => ({ ...(await prober.data('future', name, customer, query)), kind })),
    ),
  )
}

function without(ids: FetchDataIds, names: readonly string[]): Query {
  const others = Object.entries(ids).filter(([name]) => !names.includes(name))
  return fetchDataQuery(Object.fromEntries(others))
}
