import {
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel'
import ky, { isHTTPError, isNetworkError } from 'ky'
import { fields, noAuth, section, sidecard, text } from 'sidecard'
import { memoryStore, sectionCache } from 'sidecard/cache'
import { z } from 'zod'

const usageSchema = z.object({ requests: z.number(), quota: z.number() })

/** Only errors that a retry may solve. Timeouts are not retried. */
const transient = handleWhen(
  (error) => isNetworkError(error) || (isHTTPError(error) && error.response.status >= 500),
)

/** Retries twice. After five consecutive failures, it sends no requests for ten seconds. */
const policy = wrap(
  retry(transient, { maxAttempts: 2, backoff: new ExponentialBackoff({ initialDelay: 50 }) }),
  circuitBreaker(transient, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(5) }),
)

/** The policy retries, and the section's signal ends the request. */
const http = ky.create({ retry: 0, timeout: false })

const usageCache = sectionCache({
  name: 'usage',
  store: memoryStore(),
  ttlSeconds: 60,
  staleSeconds: 3_600,
})

async function loadUsage(baseUrl: string, accountId: string, signal: AbortSignal) {
  const url = new URL(`accounts/${encodeURIComponent(accountId)}/usage`, baseUrl)
  const json = await policy.execute(() => http.get(url, { signal }).json(), signal)
  const { requests, quota } = usageSchema.parse(json)
  return fields({ Requests: requests, Quota: quota })
}

export const app = sidecard<{ USAGE_URL: string }>({
  header: { title: 'Usage' },
  auth: noAuth(),
  fetchData({ require, env }) {
    const accountId = require('account_id')
    return [
      text({ label: 'Account', value: accountId }),
      section('Usage', (signal) => loadUsage(env.USAGE_URL, accountId, signal), {
        timeoutMs: 1_500,
        cache: usageCache,
        key: [accountId],
      }),
    ]
  },
})
