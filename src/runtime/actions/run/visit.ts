import type { Context } from 'hono'
import type { ResolvedOptions } from '../../app/resolve-options.ts'
import { RequestContext } from '../../app/request/request-context.ts'
import { type ActionTestSettings, readActionTest } from '../../internal/action-test.ts'
import { createTraceId } from '../../internal/trace-id.ts'
import { Deadline } from '../../internal/user-code.ts'
import type { ActionDefinition, RunContext } from '../action.ts'
import type { Agent, IdentifiedAgent } from '../sign-in/agent.ts'
import { type AskedGroups, exposeAgent } from '../sign-in/expose-agent.ts'
import type { ResolvedActions } from './options.ts'
import { createPage, type PageOutcome, type PageView } from '../page/page-view.ts'
import type { Receipts } from '../receipts/receipts.ts'
import { readNow, type Setup, type SetupReader } from '../links/setup.ts'
import type { Keys, LinkContent } from '../links/token.ts'

/** Identifies what a confirmation does, and the link with which it was opened. */
export interface ActionKey {
  /** Equal for the same action in an organization. */
  readonly actionKey: string
  readonly linkId: string
}

/** The app whose actions have a page. */
export interface PageApp {
  readonly app: ResolvedOptions
  readonly actions: ResolvedActions
  readonly reader: SetupReader
}

/** One request to the page. */
export interface Request extends PageApp {
  readonly c: Context
  readonly traceId: string
  readonly deadline: Deadline
  readonly startedAtMs: number
  readonly test: ActionTestSettings | undefined
  /** Returns the current time for links and receipts, which tests can set. */
  now(this: void): number
  page(this: void, outcome: PageOutcome, changes?: Partial<PageView>): PageView
}

export function createRequest(c: Context, page: PageApp): Request {
  const test = readActionTest(c)
  return {
    ...page,
    c,
    test,
    traceId: createTraceId(),
    deadline: new Deadline(page.app.timeoutMs),
    startedAtMs: Date.now(),
    now: () => readNow(test),
    page: (outcome, changes) => createPage(page.actions.messages, outcome, changes),
  }
}

/** A request with a valid link, from an agent who is signed in. */
export interface Visit extends Request, ActionKey {
  readonly setup: Setup
  readonly link: LinkContent
  /** The link as it was received, for the form. */
  readonly token: string
  readonly keys: Keys
  readonly definition: ActionDefinition
  /** The bindings, as the schema returns them. */
  readonly env: unknown
  /** The input, as the schema returns it. */
  readonly input: unknown
  readonly receipts: Receipts
  readonly agent: IdentifiedAgent | undefined
  readonly ctx: ActionRequest
}

/** Returns a visit with its own timeout, for work after the request has timed out. */
export function renew(visit: Visit): Visit {
  const deadline = new Deadline(visit.app.timeoutMs)
  return { ...visit, deadline, ctx: new ActionRequest(visit, deadline) }
}

type Caller = Pick<Request, 'c' | 'app' | 'traceId'> & Pick<Visit, 'link' | 'env' | 'agent'>

/** The context of an action. It does not abort when the browser disconnects. */
export class ActionRequest extends RequestContext implements RunContext<unknown> {
  readonly agent: Agent | undefined
  /** The groups that user code has asked for. */
  readonly asked: AskedGroups = { names: new Set() }
  /** Empty unless the action runs. */
  readonly idempotencyKey: string
  readonly #ownTraceId: string

  constructor(
    { c, app, traceId, link, env, agent }: Caller,
    deadline: Deadline,
    idempotencyKey = '',
  ) {
    super(c, link.ids, env, app, deadline)
    // When the action runs, it may already have had an effect, and a record of who ran it must
    // not fail.
    this.agent = agent && exposeAgent(agent, this.asked, idempotencyKey !== '')
    this.idempotencyKey = idempotencyKey
    this.#ownTraceId = traceId
  }

  override get traceId(): string {
    return this.#ownTraceId
  }

  override get signal(): AbortSignal {
    return this.deadline.signal
  }

  override get isAbandoned(): boolean {
    return false
  }
}
