import type { Result } from './assumption.ts'
import { counted, type Evidence, say } from './evidence.ts'
import { maximum, minimum, type EndpointRequest, type Traffic } from './traffic.ts'

/** A repetition within this time counts as a retry: an agent rarely reopens an issue this soon. */
const RETRY_WINDOW_MS = 10_000

/** A5: a data fetch that failed is not sent again. */
export function decideFailures({ fetches, endsAt }: Traffic): Result {
  const waited = fetches.filter(({ abortedAfterMs }) => abortedAfterMs === undefined)
  const failed = waited.filter(isFailed)
  const gaps = findGaps(fetches)
  const isRepeated = (fetch: EndpointRequest) => (gaps.get(fetch) ?? Infinity) <= RETRY_WINDOW_MS
  const evidence = describe(fetches, failed, [...gaps.values()])
  if (failed.length === 0) {
    const reason = say`no data fetch got an error status. Let the endpoint return 500 for one customer, and open an issue of that customer`
    return { status: 'skipped', reason, evidence }
  }
  const retried = failed.filter(isRepeated)
  const others = waited.filter((fetch) => !isFailed(fetch))
  const repeated = others.filter(isRepeated)
  if (retried.length > 0) {
    return repeated.length > 0
      ? {
          status: 'skipped',
          reason: say`successful data fetches are repeated as well, so a repetition is not a retry`,
          evidence,
        }
      : {
          status: 'does_not_hold',
          evidence: [
            say`sent again within 10 seconds: ${retried.length} of ${counted(failed.length, 'failed data fetch')}`,
            ...evidence,
          ],
        }
  }
  const observed = failed.filter((fetch) => endOf(fetch) + RETRY_WINDOW_MS <= endsAt)
  return observed.length > 0
    ? {
        status: 'holds',
        evidence: [
          say`not sent again within 10 seconds: ${counted(observed.length, 'failed data fetch')}`,
          ...evidence,
        ],
      }
    : {
        status: 'skipped',
        reason: say`the file ends less than 10 seconds after the failure. Open another issue later`,
        evidence,
      }
}

function isFailed({ status }: EndpointRequest): boolean {
  return status === undefined || status >= 400
}

const endOf = ({ startedAt, durationMs }: EndpointRequest) => startedAt + durationMs

/** Returns the milliseconds until the same URL is fetched again, for each data fetch. */
function findGaps(fetches: readonly EndpointRequest[]): ReadonlyMap<EndpointRequest, number> {
  const gaps = new Map<EndpointRequest, number>()
  for (const same of Map.groupBy(fetches, ({ urlNumber }) => urlNumber).values()) {
    for (const [index, fetch] of same.entries()) {
      const next = same.slice(index + 1, index + 50).find((each) => each.startedAt >= endOf(fetch))
      if (next !== undefined) gaps.set(fetch, next.startedAt - endOf(fetch))
    }
  }
  return gaps
}

function describe(
  fetches: readonly EndpointRequest[],
  failed: readonly EndpointRequest[],
  gaps: readonly number[],
): Evidence[] {
  const byUrl = [...Map.groupBy(fetches, ({ urlNumber }) => urlNumber).values()]
  const statuses = [...new Set(failed.flatMap(({ status = 0 }) => (status === 0 ? [] : [status])))]
  return [
    ...statuses.map(
      (status) =>
        say`status ${status}: ${counted(failed.filter((each) => each.status === status).length, 'data fetch')}`,
    ),
    ...(gaps.length > 0
      ? [
          say`the same data was fetched up to ${maximum(byUrl.map(({ length }) => length))} times, after ${Math.round(minimum(gaps) / 1_000)} seconds at the earliest`,
        ]
      : []),
  ]
}

/** The default `timeoutMs` of an app (A7). */
const APP_TIMEOUT_MS = 5_000

/** Two aborts this close to each other have the same cause: a time limit. An agent who leaves an issue also aborts. */
const SAME_LIMIT_MS = 500

/** A7: the service waits longer than an app takes. */
export function decideTimeout({ fetches, handshakes }: Traffic): Result {
  const requests = [...fetches, ...handshakes]
  const waited = requests.flatMap(({ abortedAfterMs, durationMs }) =>
    abortedAfterMs === undefined ? [durationMs] : [],
  )
  const aborted = requests
    .flatMap(({ abortedAfterMs = -1 }) => (abortedAfterMs < 0 ? [] : [abortedAfterMs]))
    .toSorted((left, right) => left - right)
  const longest = maximum([...waited, ...aborted])
  const evidence = [
    ...(waited.length > 0
      ? [say`the service waited up to ${Math.round(maximum(waited))} ms for a response`]
      : []),
    ...(aborted.length > 0
      ? [
          say`closed without waiting for the response: ${counted(aborted.length, 'connection')}, after ${Math.round(aborted[0] ?? 0)} to ${Math.round(aborted.at(-1) ?? 0)} ms`,
        ]
      : []),
  ]
  if (longest >= APP_TIMEOUT_MS) return { status: 'holds', evidence }
  const isLimit = aborted.some(
    (time, index) => index > 0 && time - (aborted[index - 1] ?? 0) <= SAME_LIMIT_MS,
  )
  if (isLimit) return { status: 'does_not_hold', evidence }
  const reason =
    aborted.length > 0
      ? say`one abort can be an agent who left the issue. Record a second one`
      : say`no response took 5 seconds, and no request was aborted. Delay the response for one customer by 10 seconds, and open an issue of that customer twice`
  return { status: 'skipped', reason, evidence }
}
