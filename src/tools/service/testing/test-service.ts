import { SidecardError } from '../../../runtime/internal/errors.ts'
import type { Component, Payload } from '../../../runtime/contract/index.ts'
import { quote } from '../../internal/escape-for-display.ts'
import { TRACE_HEADER } from '../../../runtime/internal/headers.ts'
import { assertNodeVersion } from '../../internal/assert-node-version.ts'
import { anything, func, readOptions, record } from '../../../runtime/internal/read-options.ts'
import type { SectionConditions } from '../../../runtime/internal/section-conditions.ts'
import { renderPayload } from '../../../runtime/render/index.ts'
import {
  findActionLink,
  openActionPage,
  type OpenedAction,
  type SendToPage,
} from './action-page.ts'
import { sequentialCodes, type CodeGenerator } from '../endpoint/codes.ts'
import {
  canFetchData,
  NEW_CONNECTION,
  reduceConnection,
  type ConnectionState,
} from '../endpoint/connection.ts'
import { connectEndpoint, type DataFetchResult, type HandshakeResult } from '../endpoint-client.ts'
import { isAsIntended } from '../endpoint/as-intended.ts'
import { describeFailure, type EndpointFailure } from '../endpoint/endpoint-failures.ts'
import {
  assertIds,
  ENDPOINT_KINDS,
  type EndpointClientOptions,
  RENDER_KINDS,
} from '../endpoint/endpoint-options.ts'
import {
  callInProcess,
  type EnvOfApp,
  type InProcessTarget,
  isInProcess,
  type TestApp,
} from './in-process.ts'
import { formatSnapshot } from './format-snapshot.ts'
import type { FetchDataIds } from '../endpoint/query.ts'
import type { Finding } from '../response-rule.ts'
import { resolveTarget } from '../endpoint/target.ts'
import { readTestProject } from './test-project.ts'
import { conditionsKind, findUnappliedCondition } from './section-conditions.ts'

/** Options of `createTestService()`. */
export interface TestServiceOptions<Env = unknown> extends Omit<EndpointClientOptions, 'target'> {
  /** The line width of `text` in terminal cells, from 20 to 1,000. @default 44 */
  readonly width?: number
  /** The time zone of `text`, as an IANA name. @default 'UTC' */
  readonly timeZone?: string
  /** The environment bindings of an in-process app, as on Workers. */
  readonly env?: Env
  /**
   * The imported JSON of `sidecard.json`: `openState()` opens its states. The
   * headers of its apps are sent, with values from `env` for `env:NAME`.
   */
  readonly project?: object
  /** Creates the handshake codes. @default code-1, code-2, … */
  readonly codes?: CodeGenerator
  /**
   * The agent who opens the pages of actions, instead of the app's own sign-in. Only
   * for in-process apps.
   */
  readonly agent?: TestAgent
  /** The store of receipts, instead of the app's own `receipts`. Only for in-process apps. */
  readonly receipts?: object
}

/** A support agent in a test. */
export interface TestAgent {
  readonly id?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
  /** The agent's groups. Without them, an action that reads the groups denies the request. */
  readonly groups?: readonly string[] | undefined
}

const TEST_SERVICE_KINDS = {
  ...ENDPOINT_KINDS,
  ...RENDER_KINDS,
  env: anything,
  codes: func,
  project: record,
  agent: record,
  receipts: record,
}

/** The service in a test, for one app. */
export interface TestService {
  /** The state of the connection. */
  readonly state: ConnectionState
  /** Performs the handshake, even if the app is already connected. */
  connect(): Promise<HandshakeResult>
  /**
   * Fetches the data of a widget as if an agent opened an issue. Connects first if
   * the app is disconnected. Absent IDs get fixed values, and an ID that is
   * `undefined` is not sent. The option `sections` settles sections by title as
   * `failed`, `timeout` or `empty`, without calling their data source. Such a
   * request neither reads nor writes a cache.
   *
   * @throws {SidecardError} `not_connected` if the handshake failed, because the
   * service does not call an unverified app; `invalid_options` for an ID that is not
   * in the contract; `section_not_applied` if the app has no section with the title
   * of a condition.
   */
  openIssue(
    ids?: FetchDataIds,
    options?: { readonly sections?: SectionConditions | undefined },
  ): Promise<OpenedIssue>
  /**
   * Opens an issue as a state or a customer of the option `project`. Only the IDs of
   * that customer are sent, and the conditions of the state apply.
   *
   * @throws {SidecardError} as `openIssue()`; `invalid_options` if there is no such
   * state; `state_failed` if agents see a failure that the state does not cause.
   */
  openState(name: string): Promise<OpenedIssue>
  /**
   * Opens the page of an action, as if an agent clicked its button.
   *
   * @param button the label of the button in the last opened issue. If several buttons share
   * it, a component of the payload, such as `payload.components[1]`
   * @throws {SidecardError} `invalid_options` unless exactly one button matches
   */
  openAction(button: string | Component | { readonly url: string }): Promise<OpenedAction>
  /** Ends the connection. The next request needs another handshake. */
  disconnect(): void
}

/** A widget of an opened issue, as the agent sees it. */
export interface OpenedIssue {
  /** The payload, including a failure card; `undefined` if the agent sees an error state. */
  readonly payload: Payload | undefined
  /** The widget as text, for a snapshot, or one line about the error state. */
  readonly text: string
  /**
   * The outcome and the whole payload, for a snapshot: one line for each component.
   * Dates, trace IDs and the tokens of action links are masked.
   */
  readonly snapshot: string
  /** `rendered` if the widget is complete; otherwise see {@link DataFetchResult}. */
  readonly outcome: DataFetchResult['outcome']
  /** The failures that the app reports, with their errors; empty if there are none. */
  readonly failures: readonly EndpointFailure[]
  /** The findings of the checker's rules for this response; empty if there are none. */
  readonly findings: readonly Finding[]
  /** The whole result, with the request and the response. */
  readonly result: DataFetchResult
}

/** The IDs of the issue that `openIssue()` opens by default. */
export const DEFAULT_IDS = {
  app_id: 'app_1',
  widget_id: 'widget_1',
  issue_id: 'issue_1',
  organization_id: 'organization_1',
  account_id: 'account_1',
  requester_id: 'user_1',
  requester_email: 'ada@example.com',
} as const satisfies FetchDataIds

/** Omits the default IDs of the customer, because a state specifies the IDs that find its own. */
const NO_CUSTOMER: FetchDataIds = {
  account_id: undefined,
  requester_id: undefined,
  requester_email: undefined,
}

/**
 * Merges the headers of a test into those of its project. They replace those with
 * the same name, in any letter case.
 */
function mergeHeaders(
  ofProject: Readonly<Record<string, string>> = {},
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (Object.keys(ofProject).length === 0) return own
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const others = Object.entries(ofProject).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(others), ...own }
}

/**
 * Plays the service in a test: it connects an app, opens issues and disconnects.
 * Codes and IDs are fixed, and an in-process app needs no network, so that a
 * test has the same result on every run.
 *
 * @throws {SidecardError} `invalid_target` for an invalid URL; `invalid_header` for an invalid header; `invalid_options` for another invalid option.
 *
 * @example
 * const service = createTestService(app, { env: { SIDECARD_SECRET: 's' }, headers: { 'x-sidecard-secret': 's' } })
 * const { text, failures, findings } = await service.openIssue({ account_id: 'acme' })
 *
 * @see docs/testing.md
 */
export function createTestService(url: string | URL, options?: TestServiceOptions): TestService
export function createTestService<A extends TestApp>(
  app: A,
  options?: TestServiceOptions<Partial<EnvOfApp<A>>>,
): TestService
export function createTestService(
  app: TestApp | string | URL,
  options: TestServiceOptions = {},
): TestService {
  assertNodeVersion('sidecard/testing')
  const { width, timeZone, env, codes, project, agent, receipts, ...rest } = readOptions(
    'createTestService',
    options,
    TEST_SERVICE_KINDS,
  )
  const inProcess = isInProcess(app)
    ? callInProcess(app, env, {
        ...(agent !== undefined && { agent }),
        receipts,
        now: rest.now,
      })
    : undefined
  const target = inProcess?.target ?? (app as string | URL)
  const { url } = resolveTarget(target, rest)
  const read = project && readTestProject(project, env, inProcess === undefined ? url : undefined)
  const settings = { ...rest, headers: mergeHeaders(read?.headers, rest.headers) }
  const client = connectEndpoint(target, settings, inProcess?.takeFailures)
  const nextCode = codes ?? sequentialCodes()
  let connection = NEW_CONNECTION
  let handshake: HandshakeResult | undefined
  let lastPayload: Payload | undefined

  let connecting: Promise<HandshakeResult> | undefined

  const connect = async () => {
    connection = reduceConnection(connection, { type: 'handshake_started' })
    const { attempt } = connection
    const result = await nameSetupProblems(await client.handshake(nextCode()), inProcess)
    await inProcess?.flushWaitUntil(settings.timeoutMs)
    const type = result.ok ? 'handshake_succeeded' : 'handshake_failed'
    connection = reduceConnection(connection, { type, attempt })
    handshake = result
    return result
  }

  const openIssue: TestService['openIssue'] = async (ids = {}, issueOptions = {}) => {
    assertIds('openIssue', ids)
    const { sections } = readOptions('openIssue', issueOptions, { sections: conditionsKind })
    if (connection.state === 'disconnected') {
      connecting ??= connect().finally(() => (connecting = undefined))
      await connecting
    }
    if (!canFetchData(connection)) throw notConnected(handshake)
    const result = await client.fetchData({ ...DEFAULT_IDS, ...ids }, sections)
    await inProcess?.flushWaitUntil(settings.timeoutMs)
    const unapplied = sections && findUnappliedCondition(sections, result.exchange)
    if (unapplied !== undefined) throw notApplied(unapplied, result)
    const { outcome, payload, failures, findings } = result
    lastPayload = payload
    const text =
      payload === undefined
        ? `(error state: ${result.message})\n`
        : renderPayload(payload, { width, timeZone }).text + formatFailures(failures)
    const traceId = result.exchange.response?.headers[TRACE_HEADER]
    const shown = payload === undefined ? text : formatSnapshot(payload, traceId)
    const snapshot = `${outcome}\n${shown}`
    return { payload, text, snapshot, outcome, failures, findings, result }
  }

  return {
    get state() {
      return connection.state
    },
    connect,
    openIssue,
    async openState(name) {
      if (read === undefined) {
        throw new SidecardError('invalid_options', 'openState: pass the option project.')
      }
      const { ids, sections } = read.find(name)
      const isEmpty = Object.keys(sections).length === 0
      const opened = await openIssue({ ...NO_CUSTOMER, ...ids }, isEmpty ? {} : { sections })
      assertState(name, opened)
      return opened
    },
    async openAction(button) {
      const link = findActionLink(lastPayload, button)
      const send: SendToPage = async (pageUrl, body) => {
        const response = await sendToPage(pageUrl, body, client.url, inProcess)
        await inProcess?.flushWaitUntil(settings.timeoutMs)
        return response
      }
      return openActionPage(link, send)
    },
    disconnect() {
      connection = reduceConnection(connection, { type: 'disconnected' })
    },
  }
}

/**
 * Sends a request to the page of a link. For an in-process app, the page is below
 * the app's own URL, as if a proxy forwarded it.
 */
function sendToPage(
  link: string,
  body: URLSearchParams | undefined,
  endpoint: URL,
  inProcess: InProcessTarget | undefined,
): Promise<Response> {
  const { origin, search } = new URL(link)
  const { href } = new URL(endpoint.pathname.replace(/\/?$/, '/actions'), endpoint.origin)
  const page = inProcess === undefined ? link.slice(0, -search.length) : href
  const headers = {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
  }
  const request =
    body === undefined
      ? new Request(page + search, { redirect: 'manual' })
      : new Request(page, { method: 'POST', headers, body: String(body), redirect: 'manual' })
  return Promise.resolve(inProcess === undefined ? fetch(request) : inProcess.target.fetch(request))
}

/**
 * Adds a missing secret or binding, which is the reason of a failed handshake,
 * whatever the status.
 */
async function nameSetupProblems(
  handshake: HandshakeResult,
  inProcess: InProcessTarget | undefined,
): Promise<HandshakeResult> {
  if (handshake.ok) return handshake
  const problems = (await inProcess?.findSetupProblems()) ?? []
  if (problems.length > 0) {
    return { ...handshake, fix: `${problems.join(' ')} Pass the bindings in the option env.` }
  }
  const { status } = handshake.exchange.response ?? {}
  return status === 401 || status === 403 ? { ...handshake, fix: REJECTED } : handshake
}

const REJECTED =
  'Pass the secret in the option headers, and the variable that the app reads in env.'

function notConnected(handshake: HandshakeResult | undefined): SidecardError {
  const message =
    handshake === undefined || handshake.ok
      ? 'The app was disconnected while the issue was opened. Call connect() again.'
      : `The handshake failed: ${handshake.message}. ${handshake.fix} Then call connect() to retry.`
  return new SidecardError('not_connected', message)
}

function notApplied(problem: string, { message }: DataFetchResult): SidecardError {
  const reason = message === '' ? '' : ` The response: ${message}.`
  return new SidecardError('section_not_applied', `openIssue: ${problem}${reason}`)
}

/**
 * Throws if an opened state has a failure that its conditions do not cause, so
 * that the test fails.
 */
function assertState(name: string, opened: OpenedIssue): void {
  const failure = opened.failures.find(({ intended }) => intended !== true)
  if (failure === undefined && (opened.payload !== undefined || isAsIntended(opened))) return
  const reason = failure === undefined ? opened.result.message : describeFailure(failure)
  const message = `openState: the state ${quote(name)} fails: ${reason}.`
  throw new SidecardError('state_failed', message, { cause: failure?.error })
}

/** Formats the failures for the text, so that a snapshot of a failure card shows the reason. */
function formatFailures(failures: readonly EndpointFailure[]): string {
  return failures.map((failure) => `(failure: ${describeFailure(failure)})\n`).join('')
}
