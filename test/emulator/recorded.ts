import type { EmulatorOptions } from 'sidecard/emulator'
import { connect, payload } from './helpers.ts'

/** The value of the app's secret header, which its payload repeats. */
export const SECRET = 'canary-secret-value'

/** Creates an emulator that has sent requests to an app with personal data, a secret and a custom URL. */
export async function recorded(options: EmulatorOptions = {}) {
  const headers = { 'x-internal': 'maria.anders@northwind.example', 'x-sidecard-cache': 'hit' }
  const { emulator, app, open } = await connect(
    {
      data: (url) =>
        Response.json(
          payload([
            { type: 'text', label: 'Email', value: url.searchParams.get('requester_email') },
            { type: 'text', label: 'Secret', value: SECRET },
          ]),
          { headers },
        ),
    },
    options,
  )
  await emulator.apps.update(app.id, {
    url: 'http://sidecard.test/?token=own-secret',
    headers: { 'x-key': SECRET },
  })
  await open()
  return emulator
}
