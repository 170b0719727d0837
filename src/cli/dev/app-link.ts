import { isSidecardError } from '../../internal/errors.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { createProbe, type Probe } from './probe.ts'
import type { Session } from './session.ts'
import type { DevApp } from './settings.ts'

/** The custom app of a session. */
export interface AppLink {
  /** The app after its first handshake. */
  readonly app: AppView
  /** Performs handshakes with the newest headers. */
  readonly probe: Probe
  /** Connects the app again, if a change may have fixed its handshake or changed its headers. */
  refresh(): Promise<void>
}

/** Connects the app with this URL. A database may already contain it from an earlier run. */
export async function connectApp(
  { emulator, reporter, traffic, io }: Session,
  { name, url: target, headers: readHeaders }: DevApp,
): Promise<AppLink> {
  const { apps } = emulator
  const { href: url } = target
  let headers = readHeaders()
  const app = await connect()

  async function connect(): Promise<AppView> {
    const known = apps.list().find((each) => each.url === url)
    if (known === undefined) {
      return apps.create({ name, url, headers })
    }
    const updated = await apps.update(known.id, { headers })
    return updated.state === 'connected' ? updated : apps.connect(known.id)
  }

  return {
    app,
    probe: createProbe(target, () => headers, traffic, io),
    async refresh() {
      const used = JSON.stringify(headers)
      try {
        headers = readHeaders()
      } catch (error) {
        if (!isSidecardError(error)) throw error
        reporter.warn(error.message)
      }
      const before = apps.get(app.id)
      // Each change of an app makes every page load the whole state.
      if (JSON.stringify(headers) !== used) await apps.update(app.id, { headers })
      else if (before.state === 'unverified') await apps.connect(app.id)
      const now = apps.get(app.id)
      if (now.state !== before.state) reporter.connected(now)
    },
  }
}
