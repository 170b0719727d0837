import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Tells whether something listens at an address. It sends nothing, so nothing shows in a log. */
export function isListening(url: URL): Promise<boolean> {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1_000 })
    const done = (answer: boolean) => () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false))
  })
}

const PROBE_EVERY_MS = 100

/**
 * Waits until something listens at an address.
 *
 * @returns false when it took longer than `patienceMs`, or the signal aborted
 */
export async function waitForEndpoint(
  url: URL,
  patienceMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const until = performance.now() + patienceMs
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    if (await isListening(url)) return true
    if (performance.now() > until) return false
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await sleep(PROBE_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
  return false
}
