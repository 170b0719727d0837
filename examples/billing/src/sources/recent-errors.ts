import { z } from 'zod'

const errorsSchema = z.array(z.object({ message: z.string(), occurred_at: z.iso.datetime() }))

/** Fetches the last three errors of an account from the error service, which is slow and sometimes down. */
export async function recentErrors(baseUrl: string, accountId: string, signal: AbortSignal) {
  const url = new URL(`/accounts/${encodeURIComponent(accountId)}/errors`, baseUrl)
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`The error service responded with ${response.status}.`)
  return errorsSchema.parse(await response.json()).slice(0, 3)
}
