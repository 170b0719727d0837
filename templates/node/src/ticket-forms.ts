import { link, section } from 'sidecard'
import { createClient } from 'sidecard/client'
import type { Env } from './app.ts'

/** The forms that an agent may send to the customer, from the service's own API. */
export function ticketForms({ SIDECARD_API_URL, SIDECARD_API_TOKEN }: Env) {
  if (!SIDECARD_API_URL || !SIDECARD_API_TOKEN) return undefined
  const api = createClient({ baseUrl: SIDECARD_API_URL, accessToken: SIDECARD_API_TOKEN })
  return section(
    'Forms to send',
    async (signal) => {
      const { data } = await api.ticketForms.list({ signal })
      const open = data.filter((form) => form.is_public)
      return open.map(({ name, url }) => name && url && link({ label: name, url }))
    },
    { timeoutMs: 1_500 },
  )
}
