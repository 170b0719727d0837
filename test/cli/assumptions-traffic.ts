import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { button, secretHeader, type SidecardOptions } from 'sidecard'
import { createEmulator } from 'sidecard/emulator'
import { serve } from 'sidecard/node'
import { startTunnelProxy } from '../../src/cli/dev/tunnel-proxy.ts'
import { createTestApp } from '../helpers/app.ts'
import { cli } from '../helpers/cli.ts'

/** Values that no output may contain. */
export const CANARIES = {
  secret: 'zq9xk-wuv37-plm55',
  email: 'jane.canary@northwind.example',
  account: 'acc_canary_77',
  code: 'canary-handshake-code',
  host: 'widgets.fjord.example',
  text: 'Canary Falcon',
}

/** A data fetch in the order of the contract. */
export const IDS: readonly (readonly [string, string])[] = [
  ['app_id', 'app_1'],
  ['widget_id', 'wid_1'],
  ['issue_id', 'iss_1'],
  ['organization_id', 'org_1'],
  ['account_id', CANARIES.account],
  ['requester_id', 'usr_1'],
  ['requester_email', CANARIES.email],
]

export const VERIFY = new URLSearchParams({ request_type: 'verify', code: CANARIES.code })
export const FETCH = new URLSearchParams([['request_type', 'fetch_data'], ...IDS] as string[][])

/** The headers of a service. Its user agent is not shown. */
const HEADERS = {
  'user-agent': 'service/1',
  accept: 'application/json',
  'x-key': CANARIES.secret,
}

interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The path in place of the endpoint's. */
  readonly path?: string
}

/** Plays the service in front of the tunnel port of a real app. */
export interface Service {
  /** Sends a request and reads the response. */
  send(query: URLSearchParams | string, sending?: Sending): Promise<void>
  /** Sends a data fetch, and closes the connection after a time without a response. */
  abort(afterMs: number): Promise<void>
  /** Sends a data fetch, and gets the response after a time. */
  waitFor(ms: number): Promise<void>
  /** Lets time pass. */
  pass(ms: number): void
}

/** Records requests through a tunnel port, and exports them as the workspace does. */
export async function recordTunnel(
  play: (service: Service) => Promise<void>,
  {
    anonymize = true,
    ...options
  }: Partial<SidecardOptions> & { readonly anonymize?: boolean } = {},
): Promise<object> {
  let gate: PromiseWithResolvers<void> | undefined
  let reached = Promise.withResolvers<void>()
  const {
    fetchData = () => [button({ label: CANARIES.text, url: `https://${CANARIES.host}/x` })],
  } = options
  const app = createTestApp({
    auth: secretHeader('x-key', CANARIES.secret),
    timeoutMs: 60_000,
    ...options,
    async fetchData(ctx) {
      reached.resolve()
      await gate?.promise
      return fetchData(ctx)
    },
  })
  const server = await serve(app, { port: 0, handleSignals: false })
  const endpoint = new URL(server.url)
  const emulator = createEmulator()
  const { id: appId } = await emulator.apps.create({
    name: 'Billing',
    url: endpoint.href,
    headers: { 'x-key': CANARIES.secret },
  })
  const records: Promise<unknown>[] = []
  const proxy = await startTunnelProxy({
    port: 0,
    endpoint,
    fetch,
    isProtected: () => true,
    onRequest: (live) => records.push(emulator.exchanges.record({ appId, ...live })),
  })
  onTestFinished(async () => {
    vi.useRealTimers()
    await proxy.close()
    await emulator.close()
    await server.close()
  })
  const { port, pathname } = new URL(proxy.url)
  // Only the clocks: requests take as long as the test says.
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.parse('2026-11-22T10:00:00Z') })

  const start = (
    query: URLSearchParams | string,
    { method = 'GET', headers = HEADERS, path = pathname }: Sending = {},
  ) =>
    request({
      port,
      host: '127.0.0.1',
      method,
      path: `${path}${String(query) && '?'}${query}`,
      headers,
      agent: false,
    }).end()
  const send: Service['send'] = async (query, sending) => {
    const outgoing = start(query, sending)
    const [response] = await once(outgoing, 'response')
    response.resume()
    await once(response, 'end')
  }
  const hold = async () => {
    gate = Promise.withResolvers()
    reached = Promise.withResolvers()
    const outgoing = start(FETCH)
    await reached.promise
    return outgoing
  }
  const recorded = async (count: number) => vi.waitUntil(() => records.length >= count)
  await play({
    send,
    async abort(afterMs) {
      const before = records.length
      const outgoing = await hold()
      vi.advanceTimersByTime(afterMs)
      const closed = new Promise((resolve) => outgoing.once('close', resolve))
      outgoing.on('error', () => undefined).destroy()
      await closed
      // The port has processed the end of the connection before it responds to later ones.
      for (const path of ['/a', '/b', '/c']) await send('', { path, headers: {} })
      gate?.resolve()
      gate = undefined
      await recorded(before + 4)
    },
    async waitFor(ms) {
      const outgoing = await hold()
      vi.advanceTimersByTime(ms)
      gate?.resolve()
      gate = undefined
      const [response] = await once(outgoing, 'response')
      response.resume()
      await once(response, 'end')
    },
    pass: (ms) => vi.advanceTimersByTime(ms),
  })
  await Promise.all(records)
  return emulator.exchanges.exportHar({ anonymize })
}

/** Runs `sidecard assumptions --json` on a document. */
export async function decide(document: unknown): Promise<any> {
  const folder = mkdtempSync(join(tmpdir(), 'sidecard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(document))
  const { stdout, stderr, exitCode } = await cli(['assumptions', 'traffic.har', '--json'], {
    cwd: folder,
  })
  if (stderr !== '') throw new Error(stderr)
  return { ...JSON.parse(stdout), exitCode, text: stdout }
}

/** Returns the status, and the reason and the evidence as one text. */
export function resultOf(report: any, id: string): { status: string; text: string } {
  const { status, reason = '', evidence } = report.results.find((each: any) => each.id === id)
  return { status, text: [reason, ...evidence].join('\n') }
}
