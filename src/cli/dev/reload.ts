import { setTimeout as sleep } from 'node:timers/promises'
import type { Emulator } from '../../emulator/emulator.ts'
import { waitForEndpoint } from './endpoint.ts'

/**
 * When the workspace looks again after a save, in milliseconds: a server that
 * swaps its code without closing its port may answer with the old code first.
 */
const LOOKS_AFTER_MS = [0, 350, 800]

/** How long a server may take to come back after a save. */
const RESTART_PATIENCE_MS = 30_000
const SHOW_ERROR_AFTER_MS = 700

/** Shows the sidebar anew after each save; a newer save ends what an older one began. */
export function createReloader(emulator: Emulator, appId: string, url: URL) {
  let current = new AbortController()

  async function reload(signal: AbortSignal): Promise<void> {
    if (!(await waitForEndpoint(url, SHOW_ERROR_AFTER_MS, signal))) {
      // Broken code keeps its server from starting: the workspace says so, beside the last good render.
      show()
      if (!(await waitForEndpoint(url, RESTART_PATIENCE_MS, signal))) return
    }
    for (const ms of LOOKS_AFTER_MS) {
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      await sleep(ms, undefined, { signal })
      // oxlint-disable-next-line no-await-in-loop -- one look after another
      await reconnect()
      show()
    }
  }

  const show = () => emulator.events.emit({ type: 'source_changed' })

  /** A change may have repaired the handshake; a connected app stays connected. */
  async function reconnect(): Promise<void> {
    if (emulator.apps.get(appId).state === 'unverified') await emulator.apps.connect(appId)
  }

  return {
    sourceChanged() {
      current.abort()
      current = new AbortController()
      // Ended by a newer change, by the end, or because the app was deleted in the workspace.
      reload(current.signal).catch(() => undefined)
    },
    stop: () => current.abort(),
  }
}
