import type { AgentSource } from './agent.ts'
import { ANYONE, type Agent, DEVELOPER, toAgent } from './agent.ts'
import { type Claims } from './claims.ts'
import { runUserCode, runWithin } from '../internal/user-code.ts'
import { readProperty } from '../internal/hostile-values.ts'
import { describeInputIssue } from './input.ts'
import { isMemoryClaims } from './memory-claims.ts'
import { isClaims } from './options.ts'
import { type PageView } from './page-view.ts'
import { isDevelopment, type Setup } from './setup.ts'
import { openLink } from './token.ts'
import { ActionRequest, type Request, type Visit } from './visit.ts'

/** How long a store of claims may take. */
export const CLAIMS_MS = 5_000

/** The steps that can end a request with another page. */
type Step<T> = Promise<T | { readonly view: PageView; readonly link?: Visit['link'] }>

/** Opens the link of a request, and finds out who sent it. */
export async function openVisit(
  request: Request,
  setup: Setup,
  env: unknown,
  token: string,
): Step<{ readonly visit: Visit } | { readonly response: Response }> {
  const { actions, nowMs } = request
  const { messages } = actions
  const opened = await openLink(token, setup.audience, setup.keys, nowMs)
  const expired: PageView = {
    outcome: 'expired',
    status: 410,
    heading: messages.expired,
    text: messages.expiredText,
  }
  const invalid: PageView = {
    outcome: 'invalid',
    status: 400,
    heading: messages.invalid,
    text: messages.invalidText,
  }
  if (opened === 'expired') return { view: expired }
  const definition = opened === 'invalid' ? undefined : actions.definitions.get(opened.link.name)
  if (opened === 'invalid' || definition === undefined) return { view: invalid }
  const { link, keys } = opened

  const signIn = await identify(request)
  if (signIn instanceof Response) return { response: signIn }
  if ('error' in signIn) {
    const { forbidden: heading, notSignedIn: text } = messages
    const { error } = signIn
    return {
      view: { outcome: 'forbidden', status: 403, heading, text, error, showsTraceId: true },
      link,
    }
  }
  const { agent } = signIn

  let claims: Claims
  let input: unknown
  try {
    claims = await openClaims(request, env)
    input = await validateInput(definition.input, link.input, request)
  } catch (error) {
    const { unavailable: heading, failedText: text } = messages
    return {
      view: { outcome: 'failed', status: 503, heading, text, error, showsTraceId: true },
      link,
    }
  }
  // A test can set the clock to any time.
  if (request.test === undefined && link.issuedAtMs < (claims.startedAtMs ?? 0))
    return { view: expired, link }
  const ctx = new ActionRequest(request, link.ids, env, request.deadline, agent)
  return {
    visit: { ...request, setup, link, token, keys, definition, input, claims, agent, ctx },
  }
}

/** Asks the sign-in. An error means that the request is denied. */
async function identify(
  request: Request,
): Promise<Response | { readonly agent: Agent | undefined } | { readonly error: unknown }> {
  const { c, actions, test, deadline } = request
  const provided = test !== undefined && 'agent' in test ? () => test.agent : undefined
  const source = provided ?? (isDevelopment(c) ? () => DEVELOPER : actions.agent)
  try {
    const result: unknown = await runUserCode(() => (source as AgentSource)(c), deadline)
    if (isResponse(result)) return result
    if (result === ANYONE) return { agent: undefined }
    const agent = toAgent(result)
    return agent === undefined
      ? { error: new TypeError('The option agent of actions() did not return an agent.') }
      : { agent }
  } catch (error) {
    return { error }
  }
}

/** Hosts replace `Response`, so that `instanceof` may fail. */
function isResponse(value: unknown): value is Response {
  return readProperty(value, Symbol.toStringTag) === 'Response'
}

const opened = new WeakMap<object, Map<unknown, Claims>>()

/** Returns the claims of an environment, and creates them once. */
async function openClaims(
  { c, actions: { claims: source }, test, deadline }: Request,
  env: unknown,
): Promise<Claims> {
  const owner = typeof c.env === 'object' && c.env !== null ? (c.env as object) : NO_ENV
  const known = opened.get(owner) ?? new Map<unknown, Claims>()
  opened.set(owner, known)
  const provided = test?.claims
  const claims =
    provided ??
    known.get(source) ??
    (typeof source === 'function' ? await runUserCode(() => source(env), deadline) : source)
  if (!isClaims(claims))
    throw new TypeError('The option claims of actions() did not return claims.')
  if (isMemoryClaims(claims) && isWorker() && test === undefined) {
    throw new TypeError('memoryClaims() cannot run on Workers. Use d1Claims() or redisClaims().')
  }
  if (provided === undefined) known.set(source, claims)
  return claims
}

const NO_ENV = {}

function isWorker(): boolean {
  return readProperty(readProperty(globalThis, 'navigator'), 'userAgent') === 'Cloudflare-Workers'
}

async function validateInput(
  schema: Visit['definition']['input'],
  json: string,
  { deadline }: Request,
): Promise<unknown> {
  const result = await runUserCode(() => schema['~standard'].validate(JSON.parse(json)), deadline)
  if (result.issues === undefined) return result.value
  const [issue] = result.issues
  throw new TypeError(`The input of the link ${issue ? describeInputIssue(issue) : 'is invalid'}.`)
}

/** Calls a method of claims within its time limit. */
export function callClaims<T>(run: () => T | PromiseLike<T>): Promise<Awaited<T>> {
  return runWithin(CLAIMS_MS, run)
}
