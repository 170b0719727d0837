import type { Context } from 'hono'
import { RequestContext } from '../../app/request/request-context.ts'
import type { ResolvedOptions } from '../../app/resolve-options.ts'
import type { StandardIssue } from '../../internal/standard-schema.ts'
import { Deadline, runUserCode } from '../../internal/user-code.ts'
import { digest, toCanonicalText } from '../links/crypto.ts'
import type { LinkContent } from '../links/link.ts'
import type { Setup } from '../links/setup.ts'
import type { Receipts } from '../receipts/receipts.ts'
import {
  type Agent,
  type AskedGroups,
  exposeAgent,
  type IdentifiedAgent,
} from '../sign-in/agent.ts'
import type { ActionDefinition, RunContext } from './definition.ts'
import type { ResolvedActions } from './options.ts'

/** A request to the page of an app's actions. */
export interface AppRequest {
  readonly c: Context
  readonly app: ResolvedOptions
  readonly actions: ResolvedActions
  readonly traceId: string
  readonly deadline: Deadline
  readonly startedAtMs: number
  /** Returns the current time for links and receipts, which tests can set. */
  now(this: void): number
}

/** A request with a link, from an agent who is signed in. */
export interface SignedInRequest extends AppRequest {
  readonly setup: Setup
  readonly link: LinkContent
  readonly agent: IdentifiedAgent | undefined
  readonly definition: ActionDefinition
  readonly receipts: Receipts
}

/** A request whose input the action accepts. */
export interface AuthorizedRequest extends SignedInRequest {
  /** The input, as the schema returns it. */
  readonly input: unknown
  /** A digest that is equal for the same action in an organization. */
  readonly actionKey: string
  /** A digest of the ID of the link. */
  readonly linkId: string
  readonly ctx: ActionCallContext
}

/** Validates the input of a link. @throws {InputError} if the schema rejects it */
export async function authorizeRequest<R extends SignedInRequest>(
  request: R,
  env: unknown,
): Promise<R & AuthorizedRequest> {
  const { link, deadline } = request
  const input = await validateInput(request, link.input)
  const ctx = new ActionCallContext(request, env, deadline)
  const [actionKey, linkId] = [await identifyAction(request, input), await digest(link.id)]
  return { ...request, input, ctx, actionKey, linkId }
}

/** Returns a request with its own timeout, for calls after the request has timed out. */
export function renew<R extends AuthorizedRequest>(request: R): R {
  const deadline = new Deadline(request.app.timeoutMs)
  return { ...request, deadline, ctx: new ActionCallContext(request, request.ctx.env, deadline) }
}

/** An action no longer accepts the input of a link, which an earlier deployment created. */
export class InputError extends TypeError {}

/** Parses the JSON of an input. @throws {InputError} if the schema rejects it */
export async function validateInput(
  { definition, deadline }: Pick<SignedInRequest, 'definition' | 'deadline'>,
  json: string,
): Promise<unknown> {
  const { validate } = definition.input['~standard']
  const result = await runUserCode(() => validate(JSON.parse(json)), deadline)
  if (result.issues === undefined) return result.value
  throw new InputError(`The input of the link ${describeInputIssue(result.issues[0])}.`)
}

/** Names the place of an issue, but not its message, which may quote the value. */
export function describeInputIssue({ path = [] }: Partial<StandardIssue> = {}): string {
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const isNamed = keys.length > 0 && keys.every((key) => /^\w{1,40}$/.test(String(key)))
  return isNamed ? `is invalid at ${keys.map(String).join('.')}` : 'is invalid'
}

/**
 * Returns a digest of the app, the action, the organization, and the input or the
 * return value of `uniqueKey`. It contains no secret, so that receipts are still found
 * after a rotation.
 *
 * @throws {TypeError} if `uniqueKey` does not return a string
 */
async function identifyAction(
  { app, definition, link, deadline }: SignedInRequest,
  input: unknown,
): Promise<string> {
  const { options, name } = definition
  const about = [app.name, name, link.ids.organization_id]
  if (options.uniqueKey === undefined) return digest(...about, 'input', identifyInput(input, link))
  const uniqueKey: unknown = await runUserCode(() => options.uniqueKey?.(input, link.ids), deadline)
  if (typeof uniqueKey === 'string' && uniqueKey !== '') return digest(...about, 'once', uniqueKey)
  throw new TypeError('The option uniqueKey of an action must return a non-empty string.')
}

/**
 * Identifies an input as the schema returns it, so that a default equals the same
 * value in a link. An input that only the schema can compare counts as it was sent.
 */
function identifyInput(input: unknown, link: LinkContent): string {
  try {
    return toCanonicalText(input)
  } catch {
    return toCanonicalText(JSON.parse(link.input))
  }
}

/** Returns the key by which other systems recognize the same action, input and values. */
export function createIdempotencyKey(
  { actionKey, input, link }: AuthorizedRequest,
  values: object,
  seed: string,
): Promise<string> {
  return digest(actionKey, identifyInput(input, link), toCanonicalText(values), seed)
}

/**
 * Returns the sentence that says what an action does with the values of its form.
 *
 * @throws {TypeError} if the option `summary` returns something else
 */
export function summarize(
  { definition, input }: AuthorizedRequest,
  values: Readonly<Record<string, unknown>>,
): string {
  const { options, label } = definition
  const sentence: unknown = options.summary?.(input, values) ?? label
  if (typeof sentence === 'string' && sentence.trim() !== '') return sentence
  throw new TypeError('The option summary of an action must return a non-empty string.')
}

/** A request whose link is known, perhaps without an agent. */
export type LinkRequest = AppRequest & {
  readonly link: LinkContent
  readonly agent?: SignedInRequest['agent']
}

/** The context of an action. It does not abort when the browser disconnects. */
export class ActionCallContext extends RequestContext implements RunContext<unknown> {
  readonly agent: Agent | undefined
  /** The groups that user code has asked for. */
  readonly asked: AskedGroups = { names: new Set() }
  /** Empty unless the action runs. */
  readonly idempotencyKey: string
  readonly #requestTraceId: string

  constructor(
    { c, app, traceId, link, agent }: LinkRequest,
    env: unknown,
    deadline: Deadline,
    idempotencyKey = '',
  ) {
    super(c, link.ids, env, app, deadline)
    // When the action runs, it may already have had an effect, and a record of who ran it must
    // not fail.
    this.agent = agent && exposeAgent(agent, this.asked, idempotencyKey !== '')
    this.idempotencyKey = idempotencyKey
    this.#requestTraceId = traceId
  }

  override get traceId(): string {
    return this.#requestTraceId
  }

  override get signal(): AbortSignal {
    return this.deadline.signal
  }

  override get isAbandoned(): boolean {
    return false
  }
}
