import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Returns the port of a URL as text. */
export function portOf(url: URL): string {
  return url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
}

/**
 * Returns whether something listens at a URL. It only opens a connection, so the
 * server logs no request.
 */
export function isListening(url: URL): Promise<boolean> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ port: Number(portOf(url)), host, timeout: 1_000 })
    const done = (listening: boolean) => () => {
      socket.destroy()
      resolve(listening)
    }
    socket.on('connect', done(true)).on('error', done(false)).on('timeout', done(false))
  })
}

const PROBE_INTERVAL_MS = 50

/**
 * Waits until something listens at a URL, or until nothing does.
 *
 * @returns false after `timeoutMs`, or if the signal aborted
 */
export async function waitForEndpoint(
  url: URL,
  timeoutMs: number,
  signal: AbortSignal,
  listens = true,
): Promise<boolean> {
  const until = performance.now() + timeoutMs
  while (!signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    if ((await isListening(url)) === listens) return true
    if (performance.now() > until) return false
    // oxlint-disable-next-line no-await-in-loop -- one probe after another
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  return false
}
