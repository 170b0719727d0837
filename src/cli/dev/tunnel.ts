import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { parseJson } from '../../internal/parse-json.ts'
import { type Query, verifyQuery, withQuery } from '../../service/query.ts'
import { watchAssumptions } from '../assumptions/watch-assumptions.ts'
import { usageError } from '../run-command.ts'
import { createTransport, type Transport } from '../transport/transport.ts'
import type { Session } from './session.ts'
import type { DevApp } from './settings.ts'
import { type LiveRequest, startTunnelProxy } from './tunnel-proxy.ts'

/** The port for a tunnel to an app, which forwards requests while the app requires its secret. */
export interface Tunnel extends Awaited<ReturnType<typeof prepareTunnel>> {}

/**
 * Checks the endpoint before a port for a tunnel is opened.
 *
 * @throws {SidecardError} `usage` if the endpoint accepts unauthenticated requests
 */
export async function prepareTunnel({ settings, io, emulator, reporter }: Session, app: DevApp) {
  const { url: endpoint } = app
  // These requests are not tracked, because the reloader must not attribute them to the workspace.
  const transport = createTransport(io.env)
  let isProtected = await rejectsWithoutSecret(app, transport)
  if (!isProtected) {
    throw usageError(
      '--tunnel-port: the endpoint responds without its secret, so anyone with the tunnel URL could read customer data. Require the secret first (auth: secretHeader(…)).',
    )
  }
  const assumptions = watchAssumptions(endpoint.searchParams, (line) => reporter.warn(line))

  function inspect(appId: string, { isForwarded, ...request }: LiveRequest): void {
    const { method, response: { status, body = new Uint8Array() } = {} } = request
    const url = URL.parse(request.url)
    if (url !== null) {
      const parsed = parseJson(new TextDecoder().decode(body))
      assumptions.see({
        ...request,
        sender: 'service',
        url,
        isForEndpoint: isForwarded,
        headerNames: request.receivedHeaderNames,
        status,
        bytes: body.length,
        body: parsed.ok ? parsed.value : undefined,
      })
    }
    const print = () => {
      const what = [method, url?.pathname ?? request.url].map((part) => escapeForDisplay(part))
      reporter.warn(`tunnel request: ${what.join(' ')} (${status ?? 'no response'})`)
    }
    void emulator.exchanges.record({ appId, ...request }).then(
      // The inspector only shows handshakes and data fetches.
      (summary) => summary === null && print(),
      // Recording fails if the app was deleted.
      print,
    )
  }

  return {
    /** Checks again, because the source has changed. */
    async recheck(): Promise<void> {
      const before = isProtected
      isProtected = await rejectsWithoutSecret(app, transport)
      if (before === isProtected) return
      reporter.warn(
        isProtected
          ? 'the endpoint requires its secret again: tunnel requests are forwarded'
          : 'the endpoint responds without its secret: tunnel requests are rejected',
      )
    },
    /** @returns a function that closes the port, and prints which assumptions the requests confirmed */
    async open(appId: string): Promise<() => Promise<void>> {
      const proxy = await startTunnelProxy({
        port: settings.tunnelPort ?? 0,
        endpoint,
        fetch: transport.fetch,
        isProtected: () => isProtected,
        onRequest: (request) => inspect(appId, request),
      })
      reporter.tunnel(proxy.url)
      return async () => {
        await proxy.close()
        const summary = assumptions.formatSummary()
        if (summary !== undefined) reporter.warn(summary)
      }
    },
  }
}

const TIMEOUT_MS = 5_000

const QUERIES: readonly Query[] = [
  verifyQuery('sidecard-protection-check'),
  [
    ['request_type', 'fetch_data'],
    ...FETCH_DATA_PARAMETERS.map((name) => [name, 'unknown'] as const),
  ],
]

/**
 * Returns whether an endpoint rejects handshakes and data fetches without its
 * custom headers, and with wrong values in them. A request without a response
 * counts as rejected, because nothing can be read.
 */
async function rejectsWithoutSecret({ url, headers: readHeaders }: DevApp, { fetch }: Transport) {
  const names = Object.keys(readHeaders())
  const wrong = Object.fromEntries(names.map((name) => [name, 'sidecard-wrong-secret']))
  const results = await Promise.allSettled(
    QUERIES.flatMap((query) =>
      [{}, wrong].map(async (headers) => {
        const signal = AbortSignal.timeout(TIMEOUT_MS)
        const init = { headers, redirect: 'manual', signal } as const
        const response = await fetch(new Request(withQuery(url, query), init))
        await response.body?.cancel()
        return response.ok
      }),
    ),
  )
  return !results.some((result) => result.status === 'fulfilled' && result.value)
}
