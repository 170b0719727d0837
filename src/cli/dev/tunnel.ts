import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { parseJson } from '../../internal/parse-json.ts'
import { watchAssumptions } from '../assumptions/watch-assumptions.ts'
import { usageError } from '../run-command.ts'
import { createTransport } from '../transport/transport.ts'
import { rejectsWithoutSecret } from './protection.ts'
import type { Session } from './session.ts'
import type { DevApp } from './settings.ts'
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
export async function requireProtection(
  { settings, io, reporter }: Session,
  app: DevApp,
): Promise<Protection | undefined> {
  if (settings.tunnelPort === undefined) return undefined
  const { fetch } = createTransport(io.env)
  const check = () => rejectsWithoutSecret(app.url, Object.keys(app.headers()), fetch)
  if (!(await check())) {
    throw usageError(
      '--tunnel-port: the endpoint responds without its secret, so anyone with the tunnel URL could read customer data. Require the secret first (auth: secretHeader(…)).',
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

function parseBody(body: Uint8Array): unknown {
  const parsed = parseJson(new TextDecoder().decode(body))
  return parsed.ok ? parsed.value : undefined
}

/** @returns a function that closes the port, and prints which assumptions the requests confirmed */
export async function openTunnelPort(
  { settings, io, emulator, reporter }: Session,
  endpoint: URL,
  appId: string,
  protection: Protection,
): Promise<() => Promise<void>> {
  const assumptions = watchAssumptions(endpoint.searchParams, (line) => reporter.warn(line))
  const proxy = await startTunnelProxy({
    port: settings.tunnelPort ?? 0,
    endpoint,
    // These requests are not tracked, because the reloader must not attribute them to the
    // workspace.
    fetch: createTransport(io.env).fetch,
    isProtected: () => protection.isProtected,
    onRequest: ({ isForwarded, ...request }) => {
      const { response: { status: received, body = new Uint8Array() } = {} } = request
      if (URL.canParse(request.url)) {
        assumptions.see({
          ...request,
          sender: 'service',
          url: new URL(request.url),
          isForEndpoint: isForwarded,
          headerNames: request.receivedHeaderNames,
          status: received,
          bytes: body.length,
          body: parseBody(body),
        })
      }
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
  return async () => {
    await proxy.close()
    const summary = assumptions.formatSummary()
    if (summary !== undefined) reporter.warn(summary)
  }
}
