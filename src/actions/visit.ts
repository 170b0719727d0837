import type { Context } from 'hono'
import type { ResolvedOptions } from '../app/options.ts'
import { RequestContext } from '../app/request-context.ts'
import type { FetchDataParams } from '../contract/parameters.ts'
import type { ActionTestSettings } from '../internal/action-test.ts'
import type { Deadline } from '../internal/user-code.ts'
import type { ActionContext, ActionDefinition } from './action.ts'
import type { Agent } from './agent.ts'
import type { Claims } from './claims.ts'
import type { ResolvedActions } from './options.ts'
import type { Setup, SetupReader } from './setup.ts'
import type { Keys, LinkContent } from './token.ts'

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
  /** The time that links and claims are compared with, which tests can set. */
  readonly nowMs: number
  readonly test: ActionTestSettings | undefined
}

/** A request with a valid link, from an agent who may use it. */
export interface Visit extends Request {
  readonly setup: Setup
  readonly link: LinkContent
  /** The link as it was received, for the form. */
  readonly token: string
  readonly keys: Keys
  readonly definition: ActionDefinition
  /** The input, as the schema returns it. */
  readonly input: unknown
  readonly claims: Claims
  readonly agent: Agent | undefined
  readonly ctx: ActionRequest
}

/** The context of an action. It ignores that the browser went away. */
export class ActionRequest extends RequestContext implements ActionContext<unknown> {
  readonly agent: Agent | undefined
  readonly #ownTraceId: string

  constructor(
    { c, app, traceId }: Pick<Request, 'c' | 'app' | 'traceId'>,
    ids: FetchDataParams,
    env: unknown,
    deadline: Deadline,
    agent: Agent | undefined,
  ) {
    super(c, ids, env, app, deadline)
    this.agent = agent
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
