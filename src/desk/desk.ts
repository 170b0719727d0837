import type { Payload } from '../contract/payload.ts'
import { renderPayload } from '../render/index.ts'
import { createCaller } from './caller.ts'
import type { CallerOptions, FetchDataResult, HandshakeResult } from './caller.ts'
import { countedCodes } from './codes.ts'
import type { CodeSource } from './codes.ts'
import { mayFetchData, NEW_CONNECTION, nextConnection } from './connection.ts'
import type { ConnectionState } from './connection.ts'
import type { FetchDataIds } from './query.ts'
import type { Finding } from './rules/rule.ts'
import { SidecardError } from '../errors.ts'
import type { FetchTarget } from './target.ts'

/** What Workers and Hono give a handler beside the request. */
export interface ExecutionContext {
  waitUntil(promise: Promise<unknown>): void
  passThroughOnException(): void
  readonly props: Record<string, unknown>
}

/** An app in process: a Hono app, a Worker's default export, or any object with `fetch`. */
export interface App<Env = unknown> {
  fetch(
    request: Request,
    env?: Env,
    executionContext?: ExecutionContext,
  ): Response | Promise<Response>
}

/** How the desk plays the service. */
export interface DeskOptions<Env = unknown> extends Omit<CallerOptions, 'target'> {
  /** Cells of a line of `text`, from 20. @default 44 */
  readonly width?: number
  /** The zone of the agent who reads `text`, an IANA name. @default 'UTC' */
  readonly timeZone?: string
  /** The bindings that the app gets as its second argument, as on Workers. */
  readonly env?: Env
  /** Makes the handshake codes. @default code-1, code-2, … */
  readonly codes?: CodeSource
}

/** The desk of an agent: it connects an app and opens issues with it. */
export interface Desk {
  /** Where the connection stands. */
  readonly state: ConnectionState
  /** Does the handshake, the first time or again. */
  connect(): Promise<HandshakeResult>
  /**
   * Loads the app for an issue. Ids that are not given take believable fixed
   * values; one given as `undefined` is not sent.
   *
   * @throws {SidecardError} `not_connected` before a handshake succeeded: the service asks nothing of such an app.
   */
  openIssue(ids?: FetchDataIds): Promise<OpenedIssue>
  /** Ends the connection; the handshake must be done again. */
  disconnect(): void
}

/** What an agent sees of an issue. */
export interface OpenedIssue {
  /** The widget, when it was rendered; `undefined` when the agent sees an error state instead. */
  readonly payload: Payload | undefined
  /** The widget as the sidebar shows it, without colour; for an error state, what it is about. */
  readonly text: string
  /** What the checker's rules say about the answer; empty when there is nothing to say. */
  readonly findings: readonly Finding[]
  /** How it went, with the exchange itself. */
  readonly result: FetchDataResult
}

/** The ids of the issue that the desk opens unless a test gives others. */
export const DEFAULT_IDS = {
  app_id: 'app_1',
  widget_id: 'widget_1',
  issue_id: 'issue_1',
  organization_id: 'organization_1',
  account_id: 'account_1',
  requester_id: 'user_1',
  requester_email: 'ada@example.com',
} as const satisfies FetchDataIds

/**
 * Plays the service for a test: it connects, opens issues and disconnects, over
 * HTTP messages and nothing else. The same test gives the same result on every
 * run: codes and ids are fixed, and nothing leaves the process.
 *
 * @example
 * const agent = desk(app, { env: { SIDECARD_SECRET: 's' }, headers: { 'x-sidecard-secret': 's' } })
 * await agent.connect()
 * const { payload, findings } = await agent.openIssue({ account_id: 'acme' })
 *
 * @see docs/testing.md
 */
export function desk<Env = unknown>(
  app: App<Env> | string | URL,
  options: DeskOptions<Env> = {},
): Desk {
  const background: Array<Promise<unknown>> = []
  const target =
    typeof app === 'string' || app instanceof URL ? app : inProcess(app, options.env, background)
  // A step is over when the work that the app left for later is, too.
  const settled = async () => void (await Promise.allSettled(background.splice(0)))
  const caller = createCaller({ ...options, target })
  const nextCode = options.codes ?? countedCodes()
  const { width = 44, timeZone = 'UTC' } = options
  const look = { width, timeZone }
  let connection = NEW_CONNECTION

  return {
    get state() {
      return connection.state
    },
    async connect() {
      connection = nextConnection(connection, { type: 'handshake_started' })
      const { attempt } = connection
      const result = await caller.verify(nextCode())
      await settled()
      const type = result.ok ? 'handshake_succeeded' : 'handshake_failed'
      connection = nextConnection(connection, { type, attempt })
      return result
    },
    async openIssue(ids = {}) {
      if (!mayFetchData(connection)) {
        throw new SidecardError(
          'not_connected',
          `The app is ${connection.state}: the service opens no issue with it. Await connect() first, and look at its result.`,
        )
      }
      const result = await caller.fetchData({ ...DEFAULT_IDS, ...ids })
      await settled()
      const { findings } = result
      if (result.outcome !== 'rendered') {
        const text = `(error state: ${result.message})\n`
        return { payload: undefined, text, findings, result }
      }
      const { payload } = result
      return { payload, text: renderPayload(payload, look).text, findings, result }
    },
    disconnect() {
      connection = nextConnection(connection, { type: 'disconnected' })
    },
  }
}

function inProcess<Env>(
  app: App<Env>,
  env: Env | undefined,
  background: Array<Promise<unknown>>,
): FetchTarget {
  return {
    fetch: (request) =>
      app.fetch(request, env, {
        waitUntil: (promise) => void background.push(promise),
        passThroughOnException: () => undefined,
        props: {},
      }),
  }
}
