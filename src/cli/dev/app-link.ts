import { isSidecardError } from '../../internal/errors.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import type { Session } from './session.ts'

/** The custom app of a session. */
export interface AppLink {
  /** The app after its first handshake. */
  readonly app: AppView
  /** Connects the app again, if a change may have fixed its handshake or changed its headers. */
  refresh(): Promise<void>
}

/** Connects the app with this URL. A database may already contain it from an earlier run. */
export async function connectApp(session: Session): Promise<AppLink> {
  const { settings, endpoint, emulator, reporter } = session
  const { apps } = emulator
  let headers = settings.headers()
  const app = await connect()

  async function connect(): Promise<AppView> {
    const known = apps.list().find(({ url }) => url === endpoint.href)
    if (known === undefined) {
      return apps.create({ name: settings.name, url: endpoint.href, headers })
    }
    const updated = await apps.update(known.id, { headers })
    return updated.state === 'connected' ? updated : apps.connect(known.id)
  }

  return {
    app,
    async refresh() {
      try {
        headers = settings.headers()
      } catch (error) {
        if (!isSidecardError(error)) throw error
        reporter.warn(error.message)
      }
      const before = apps.get(app.id)
      // Only other headers cause another handshake.
      const updated = await apps.update(app.id, { headers })
      if (updated.state === 'unverified') await apps.connect(app.id)
      const now = apps.get(app.id)
      if (now.state !== before.state) reporter.connected(now)
    },
  }
}
