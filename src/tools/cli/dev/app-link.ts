import { setTimeout as sleep } from 'node:timers/promises'
import { DEV_HEADER, INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'
import { randomCode } from '../../service/endpoint/codes.ts'
import { verifyQuery, withQuery } from '../../service/endpoint/query.ts'
import type { Found } from './loop/loop-state.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import type { Session } from './session.ts'
import type { DevApp } from './settings.ts'

/** The custom app of a session. */
export interface AppLink extends Awaited<ReturnType<typeof connectApp>> {}

const PROBE_TIMEOUT_MS = 1_000
/** The time until the first repeated handshake. Each further one takes twice as long. */
const RETRY_MS = 250
const MAX_RETRY_MS = 3_600_000

/** The reasons of a handshake that got no answer. */
const NO_ANSWER: readonly string[] = ['unreachable', 'timeout', 'reset', 'cut_off']

/** Connects the app with this URL. A database may already contain it from an earlier run. */
export async function connectApp(
  { emulator: { apps }, reporter, send }: Session,
  { name, url, headers: readHeaders }: DevApp,
) {
  let headers = readHeaders()
  const known = apps.list().find((each) => each.url === url.href)
  let app = await (known === undefined
    ? apps.create({ name, url: url.href, headers })
    : apps.update(known.id, { headers }))
  if (known !== undefined && app.state !== 'connected') app = await apps.connect(app.id)

  /** Connects the app again, if a change may have fixed its handshake or changed its headers. */
  async function refresh(): Promise<void> {
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
  }

  return {
    refresh,
    /**
     * Repeats a handshake that failed, less and less often: a different server may have
     * responded while the app started. Ends without an error if the app is deleted.
     */
    async retry(signal: AbortSignal): Promise<void> {
      const isOpen = () =>
        apps.list().some(({ id, state }) => id === app.id && state === 'unverified')
      for (let delay = RETRY_MS; isOpen(); delay = Math.min(delay * 2, MAX_RETRY_MS)) {
        // oxlint-disable-next-line no-await-in-loop -- one handshake after another
        await sleep(delay, undefined, { signal })
          .then(refresh)
          .catch(() => undefined)
        if (signal.aborted) return
      }
    },
    /** The app after its first handshake. */
    app,
    url,
    /** Whether the endpoint has answered the first handshake. */
    hasAnswered: hasAnswered(app),
    /** Returns the custom headers that are in use. */
    headers: () => headers,
    /**
     * Performs a handshake that the workspace does not show. Never rejects.
     *
     * @returns the ID of the code, or what happened instead
     */
    async probe(): Promise<{ readonly found: Found; readonly id?: string | undefined }> {
      const query = withQuery(url, verifyQuery(randomCode()))
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
      try {
        const sent = { headers: { ...headers, [DEV_HEADER]: '1' }, signal }
        const response = await send(new Request(query, sent))
        await response.body?.cancel()
        return { found: 'answer', id: response.headers.get(INSTANCE_HEADER) ?? undefined }
      } catch {
        return { found: signal.aborted ? 'silent' : 'away' }
      }
    },
  }
}

function hasAnswered({ lastHandshake }: AppView): boolean {
  const result = lastHandshake?.result
  return result === undefined || result.ok || !NO_ANSWER.includes(result.reason)
}
