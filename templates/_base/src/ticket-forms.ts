import { link, section, text } from 'sidecard'
import { createClient } from 'sidecard/client'
import type { Env } from './env.ts'

/** Links to the public forms of the service, read from its API. */
export function ticketForms({
  SIDECARD_API_URL,
  SIDECARD_API_TOKEN,
}: Pick<Env, 'SIDECARD_API_URL' | 'SIDECARD_API_TOKEN'>) {
  if (!SIDECARD_API_URL || !SIDECARD_API_TOKEN) return undefined
  const api = createClient({ baseUrl: SIDECARD_API_URL, accessToken: SIDECARD_API_TOKEN })
  return section(
    'Forms to send',
    async (signal) => {
      const { data } = await api.ticketForms.list({ signal })
      const forms = data.filter((form) => form.is_public)
      if (forms.length === 0) return text({ label: 'Forms', value: 'None' })
      return forms.map(({ name, url }) => name && url && link({ label: name, url }))
    },
    { timeoutMs: 1_500 },
  )
}
