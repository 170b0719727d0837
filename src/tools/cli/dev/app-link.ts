import { INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'
import { randomCode } from '../../service/endpoint/codes.ts'
import { createEndpointClient } from '../../service/endpoint-client.ts'
import { createTransport } from '../transport/transport.ts'
import type { Session } from './session.ts'
import type { DevApp } from './settings.ts'

/** The custom app of a session. */
export interface AppLink extends Awaited<ReturnType<typeof connectApp>> {}

const PROBE_TIMEOUT_MS = 1_000

/** Connects the app with this URL. A database may already contain it from an earlier run. */
export async function connectApp(
  { emulator: { apps }, reporter, traffic, io }: Session,
  { name, url, headers: readHeaders }: DevApp,
) {
  const { fetch } = createTransport(io.env)
  let headers = readHeaders()
  const known = apps.list().find((each) => each.url === url.href)
  let app = await (known === undefined
    ? apps.create({ name, url: url.href, headers })
    : apps.update(known.id, { headers }))
  if (known !== undefined && app.state !== 'connected') app = await apps.connect(app.id)

  return {
    /** The app after its first handshake. */
    app,
    url,
    /** Returns the custom headers that are in use. */
    headers: () => headers,
    /**
     * Performs a handshake that the workspace does not show. Never rejects.
     *
     * @returns the ID of the code, `silent` if a server listens but times out, or
     * `away`
     */
    async probe() {
      const options = { target: url, headers, timeoutMs: PROBE_TIMEOUT_MS, dev: true, fetch }
      const { exchange } = await createEndpointClient(options).handshake(randomCode())
      const { response, failure } = exchange
      if (response === undefined) return failure?.kind === 'timeout' ? 'silent' : 'away'
      const instance = response.headers[INSTANCE_HEADER]
      traffic.see(instance)
      return { instance }
    },
    /** Connects the app again, if a change may have fixed its handshake or changed its headers. */
    async refresh(): Promise<void> {
      const used = JSON.stringify(headers)
      try {
        headers = readHeaders()
      } catch (error) {
        reporter.warnOf(error)
      }
      const before = apps.get(app.id)
      // Each update of an app makes every page load the whole state.
      if (JSON.stringify(headers) !== used) await apps.update(app.id, { headers })
      else if (before.state === 'unverified') await apps.connect(app.id)
      const now = apps.get(app.id)
      if (now.state !== before.state) reporter.connected(now)
    },
  }
}
