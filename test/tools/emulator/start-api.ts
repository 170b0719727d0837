import { createClient } from 'sidecard/client'
import { createEmulator, type EmulatorOptions } from 'sidecard/emulator'

/** Creates an emulator, a client of its API, and a function that sends any request to it. */
export function startApi(options: EmulatorOptions = {}) {
  const emulator = createEmulator(options)
  const client = createClient({
    baseUrl: emulator.url,
    accessToken: emulator.accessToken,
    fetch: emulator.fetch,
    retry: { maxRetries: 0 },
  })
  const ask = (path: string, init: { method?: string; body?: string } = {}) =>
    emulator.fetch(`${emulator.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${emulator.accessToken}` },
    })
  return { emulator, client, ask }
}
