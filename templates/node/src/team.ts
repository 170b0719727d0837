import { text } from 'sidecard'
import { createClient } from 'sidecard/client'
import type { Env } from './app.ts'

/** The teams of the support organization, from the service's own API. */
export async function supportTeams(env: Env, signal: AbortSignal) {
  const api = createClient({
    baseUrl: env.SIDECARD_API_URL ?? '',
    accessToken: env.SIDECARD_API_TOKEN ?? '',
    signal,
  })
  const { data } = await api.teams.list()
  return data.map(({ name = '', users = [] }) =>
    text({ label: name, value: `${users.length} people` }),
  )
}
