import { link, section, text } from 'sidecard'
import { createClient } from 'sidecard/client'

/** The variables of the service's API. */
export interface FormsEnv {
  readonly SIDECARD_API_URL?: string | undefined
  readonly SIDECARD_API_TOKEN?: string | undefined
}

/** Returns the section with links to the public forms of the service. */
export function ticketForms({ SIDECARD_API_URL, SIDECARD_API_TOKEN }: FormsEnv) {
  return section(
    'Forms to send',
    async (signal) => {
      if (!SIDECARD_API_URL || !SIDECARD_API_TOKEN) {
        return text({ label: 'Forms', value: 'Not configured' })
      }
      const api = createClient({ baseUrl: SIDECARD_API_URL, accessToken: SIDECARD_API_TOKEN })
      const { data } = await api.ticketForms.list({ signal })
      const forms = data.filter((form) => form.is_public)
      if (forms.length === 0) return text({ label: 'Forms', value: 'None' })
      return forms.map(({ name, url }) => name && url && link({ label: name, url }))
    },
    { timeoutMs: 1_500 },
  )
}
