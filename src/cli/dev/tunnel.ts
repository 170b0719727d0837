import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { rejectsWithoutSecret } from './protection.ts'
import type { Session } from './session.ts'
import { startTunnelProxy } from './tunnel-proxy.ts'

/**
 * The result of checking whether the endpoint rejects requests without its
 * secret. It may change with the source.
 */
export interface Protection {
  isProtected: boolean
  recheck(): Promise<void>
}

/**
 * Checks the endpoint before a port for a tunnel is opened.
 *
 * @returns `undefined` if no tunnel is requested
 * @throws {SidecardError} `usage` if the endpoint accepts unauthenticated requests
 */
export async function requireProtection({
  settings,
  io,
  endpoint,
  reporter,
}: Session): Promise<Protection | undefined> {
  if (settings.proxyPort === undefined) return undefined
  const { fetch } = createTransport(io.env)
  const check = () => rejectsWithoutSecret(endpoint, Object.keys(settings.headers()), fetch)
  if (!(await check())) {
    throw usageError(
      '--proxy-port: the endpoint responds without its secret, so anyone with the tunnel URL could read customer data. Require the secret first (auth: secretHeader(…)).',
    )
  }
  const protection = {
    isProtected: true,
    async recheck() {
      const before = protection.isProtected
      protection.isProtected = await check()
      if (before === protection.isProtected) return
      reporter.warn(
        protection.isProtected
          ? 'the endpoint requires its secret again: tunnel requests are forwarded'
          : 'the endpoint responds without its secret: tunnel requests are rejected',
      )
    },
  }
  return protection
}

/** @returns a function that closes the port */
export async function openTunnelPort(
  { settings, io, endpoint, emulator, reporter }: Session,
  appId: string,
  protection: Protection,
): Promise<() => Promise<void>> {
  const proxy = await startTunnelProxy({
    port: settings.proxyPort ?? 0,
    endpoint,
    // These requests are not tracked, because the reloader must not attribute them to the
    // workspace.
    fetch: createTransport(io.env).fetch,
    isProtected: () => protection.isProtected,
    onRequest: (request) => {
      const { pathname = request.url } = URL.parse(request.url) ?? {}
      const status = request.response?.status ?? 'no response'
      const print = () => {
        const what = `${escapeForDisplay(request.method)} ${escapeForDisplay(pathname)}`
        reporter.warn(`tunnel request: ${what} (${status})`)
      }
      void emulator.exchanges.record({ appId, ...request }).then(
        // The inspector does not show a request that is neither a handshake nor a data fetch.
        (summary) => summary === null && print(),
        // The app was deleted.
        print,
      )
    },
  })
  reporter.tunnel(proxy.url)
  return () => proxy.close()
}
