import { fetchDataQuery, type Query } from '../../service/endpoint/query.ts'
import type { Plan } from './contract-probes.ts'
import type { Limiter } from './limiter.ts'
import type { FutureProbe } from '../probe.ts'

const EXTRA = ['sidecard_check', '1'] as const

/**
 * Sends data fetches that the contract allows but the service does not send
 * today. They reveal an endpoint that relies on the service's current behavior.
 */
export async function runFutureProbes(
  { prober, customer }: Plan,
  run: Limiter,
): Promise<readonly FutureProbe[]> {
  const regular = fetchDataQuery(customer.ids)
  const noIssue = { ...customer.ids, issue_id: undefined }
  const nobody = { ...noIssue, requester_id: undefined, requester_email: undefined }
  const queries: ReadonlyArray<readonly [FutureProbe['kind'], name: string, Query]> = [
    ['extra-parameter', 'data fetch with an extra parameter', [...regular, EXTRA]],
    ['parameter-order', 'data fetch with the parameters in another order', regular.toReversed()],
    ['no-issue', 'data fetch without an issue', fetchDataQuery(noIssue)],
    ['no-requester', 'data fetch without a requester', fetchDataQuery(nobody)],
  ]
  return Promise.all(
    queries.map(([kind, name, query]) =>
      run(async () => ({ ...(await prober.data('future', name, customer, query)), kind })),
    ),
  )
}
