import { escapeForDisplay } from '../../internal/escape-for-display.ts'
import { parseJson } from '../../internal/parse-json.ts'
import { watchAssumptions } from '../assumptions/watch-assumptions.ts'
import type { Emulator } from '../../emulator/emulator.ts'
import { type LiveRequest, startTunnelProxy, type TunnelProxyOptions } from './tunnel-proxy.ts'

/** The parts of a session that a tunnel uses. */
interface TunnelContext {
  readonly send: (request: Request) => Promise<Response>
  readonly emulator: Emulator
  readonly reporter: {
    readonly warn: (line: string) => void
    readonly tunnel: (url: string) => void
  }
  readonly defer: (closer: () => unknown) => void
}

/** The app behind a tunnel. */
interface TunnelTarget extends Pick<TunnelProxyOptions, 'headers'> {
  readonly app: { readonly id: string }
  readonly url: URL
}

/**
 * Opens the port for a tunnel to an app. At the end of the session, it is closed,
 * and the terminal shows which assumptions the requests confirmed.
 *
 * @throws {SidecardError} `port_in_use` or `cannot_listen`
 */
export async function openTunnel(
  { send, emulator, reporter, defer }: TunnelContext,
  { app: { id: appId }, url: endpoint, headers }: TunnelTarget,
  port: number,
): Promise<void> {
  const assumptions = watchAssumptions(endpoint.searchParams, (line) => reporter.warn(line))

  function inspect({ isForwarded, ...request }: LiveRequest): void {
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

  // The requests are not tracked, because the reloader must not attribute them to the workspace.
  const proxy = await startTunnelProxy({ port, endpoint, fetch: send, headers, onRequest: inspect })
  reporter.tunnel(proxy.url)
  defer(async () => {
    await proxy.close()
    const summary = assumptions.formatSummary()
    if (summary !== undefined) reporter.warn(summary)
  })
}
