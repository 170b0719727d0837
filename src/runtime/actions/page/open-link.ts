import { isInstance, readProperty } from '../../internal/hostile-values.ts'
import { runUserCode } from '../../internal/user-code.ts'
import { type LinkContent, openLink } from '../links/link.ts'
import { isDevelopment } from '../links/setup.ts'
import { callStore, openReceipts } from '../receipts/store.ts'
import { authorizeRequest, InputError } from '../run/authorized-request.ts'
import {
  ANYONE,
  type IdentifiedAgent,
  readDeveloper,
  SIGN_OUT,
  SIGNED_OUT,
  type SignIn,
  signInRequests,
  toAgent,
} from '../sign-in/agent.ts'
import { DenialError, explainDenial } from '../sign-in/groups.ts'
import { keepSent, listEntered } from './form-body.ts'
import type {
  ActionPageRequest,
  PageOutcome,
  PageRequest,
  PageView,
  ReadyRequest,
} from './page-view.ts'

/** The request to the page of an action, or the page that ends it early. */
export interface Opened {
  readonly request?: ActionPageRequest
  readonly view?: PageView
  /** The link, for the audit record. */
  readonly link?: LinkContent
  /** The response of the option `signIn`. */
  readonly response?: Response
}

/** How much longer a form is accepted than its link, because the agent may still be typing. */
const FORM_EXTRA_MS = 600_000

/** Opens the link of a request, and identifies the agent. */
export async function openActionPage(request: ReadyRequest, token: string): Promise<Opened> {
  const { c, setup, env, body, actions, deadline, test, page } = request
  const nowMs = request.now()
  const opened = await openLink(token, setup.audience, setup.keys)
  const definition = opened && actions.definitions.get(opened.link.name)
  if (opened === undefined) return {}
  if (definition === undefined) {
    return { view: page('expired', { text: actions.messages.removedText }) }
  }
  const { link, keys } = opened
  const entered = listEntered(definition.form, body)
  const end = (outcome: PageOutcome, changes: Partial<PageView> = {}): Opened => ({
    view: page(outcome, { entered, ...changes }),
    link,
  })
  const extraMs = body === undefined ? 0 : FORM_EXTRA_MS
  if (nowMs >= link.expiresAtSeconds * 1_000 + extraMs) return end('expired')

  const signIn = await identify(request)
  if (!('agent' in signIn)) {
    const { error, response } = signIn
    if (body === undefined) {
      if (response !== undefined) return { view: page(outcomeOf(response)), response }
      return end('forbidden', explainDenial(error, actions.messages))
    }
    // The agent signs in again in another tab, so this page keeps what they entered.
    const { path } = setup
    const form = { path, hidden: keepSent(body), buttons: [{ text: definition.label }] }
    const { text = actions.messages.signInExpired } = explainDenial(error, actions.messages)
    return end('forbidden', { text, error, signIn: linkTo(path, token), form })
  }
  const { agent } = signIn
  try {
    const receipts = await openReceipts(actions.receipts, c, env, deadline)
    // Tests can set the clock, and a restart in development would make every open link expire.
    const isExact = test === undefined && !isDevelopment(c)
    const sinceMs = isExact ? await callStore(() => receipts.since?.()) : 0
    if (link.issuedAtMs < (sinceMs ?? 0)) return end('expired')
    const signedIn = { ...request, link, token, keys, definition, receipts, agent }
    return await authorizeRequest(signedIn, env).then(
      (authorized) => ({ request: authorized, link }),
      // An action may no longer accept the input of a link from before a deployment.
      (error: unknown) => end(error instanceof InputError ? 'expired' : 'failed', { error }),
    )
  } catch (error) {
    return end('failed', { status: 503, error })
  }
}

/** An agent, or the response or error for a request without an agent. */
type Identified =
  | { readonly agent: IdentifiedAgent | undefined }
  | { readonly response?: Response | undefined; readonly error?: unknown }

/** Calls the sign-in. An error means that the request is denied. */
async function identify(request: ReadyRequest): Promise<Identified> {
  const { c, setup, env, deadline } = request
  const { signal } = deadline
  signInRequests.set(c, { ...setup, env, rawEnv: c.env, nowMs: request.now(), signal })
  try {
    const result: unknown = await runUserCode(() => sourceOf(request)(c), deadline)
    if (isResponse(result)) return { response: result }
    const agent = result === ANYONE ? undefined : toAgent(result)
    return agent === undefined && result !== ANYONE
      ? { error: new TypeError('The option signIn of actions() did not return an agent.') }
      : { agent }
  } catch (error) {
    return { error }
  }
}

/** Returns the sign-in of a request. Tests and development have their own agents. */
function sourceOf({ c, actions, test }: PageRequest): SignIn {
  if (test !== undefined && 'agent' in test) return (() => test.agent) as SignIn
  return isDevelopment(c) ? readDeveloper : actions.signIn
}

/**
 * Checks the fields of a response, because hosts replace `Response`, so that
 * `instanceof` may fail.
 */
function isResponse(value: unknown): value is Response {
  return readProperty(value, Symbol.toStringTag) === 'Response'
}

/** Returns the path of the form that signs out, if the sign-in can do that. */
export function signOutPath(request: ActionPageRequest): string | undefined {
  return sourceOf(request).canSignOut === true ? `${request.setup.path}?${SIGN_OUT}` : undefined
}

/**
 * Handles a request of the sign-in itself: the reply of a provider, or a sign-out.
 * Returns `undefined` for any other request.
 */
export async function handleSignIn(
  request: ReadyRequest,
): Promise<(Opened & { readonly view: PageView }) | undefined> {
  const { c, setup, body, actions, page } = request
  const { signedOut: heading, signedOutText: text } = actions.messages
  const { searchParams } = new URL(c.req.url)
  const isPost = body !== undefined
  const isForSignIn = isPost
    ? searchParams.has(SIGN_OUT) && actions.signIn.canSignOut === true
    : searchParams.has('state') && !searchParams.has('t')
  if (!isForSignIn) {
    const isAfter = !isPost && searchParams.has(SIGNED_OUT)
    return isAfter ? { view: page('shown', { heading, text }) } : undefined
  }
  const identified = await identify(request)
  if ('agent' in identified) return undefined
  const { response, error } = identified
  if (response !== undefined) {
    return { view: page(isPost ? 'shown' : outcomeOf(response)), response }
  }
  const token = isInstance(error, DenialError) ? error.token : undefined
  const again = token && linkTo(setup.path, token)
  return { view: page('forbidden', { again, ...explainDenial(error, actions.messages) }) }
}

/** Returns the outcome of a response of the sign-in: a redirect is a part of each sign-in. */
function outcomeOf({ status }: Response): PageOutcome {
  return status < 400 ? 'sign_in' : 'forbidden'
}

/** Returns the relative URL that opens a link. */
export function linkTo(path: string, token: string): string {
  return `${path}?t=${encodeURIComponent(token)}`
}
