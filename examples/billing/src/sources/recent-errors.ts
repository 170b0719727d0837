import { sectionCache } from 'sidecard/cache'
import { z } from 'zod'
import type { Env } from './env.ts'

const errorsSchema = z.array(z.object({ message: z.string(), occurred_at: z.iso.datetime() }))

/** The error service is slow, and agents often open several issues of one customer. */
export const errorsCache = sectionCache({
  name: 'errors',
  store: ({ CACHE }: Env) => CACHE,
  ttlSeconds: 60,
  staleSeconds: 3_600,
})

/** Fetches the last three errors of an account from the error service, which is slow and sometimes down. */
export async function recentErrors(baseUrl: string, accountId: string, signal: AbortSignal) {
  const url = new URL(`/accounts/${encodeURIComponent(accountId)}/errors`, baseUrl)
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The error service responded with ${response.status}.`)
  return errorsSchema.parse(await response.json()).slice(0, 3)
}
