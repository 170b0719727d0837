import { readProperty } from '../../internal/hostile-values.ts'
import { runUserCode } from '../../internal/user-code.ts'
import { isDevelopment, type Setup } from '../links/setup.ts'
import {
  ANYONE,
  type IdentifiedAgent,
  provideSignInRequest,
  readDeveloper,
  SIGN_OUT,
  SIGNED_OUT,
  type SignIn,
  SignInError,
  toAgent,
} from '../sign-in/agent.ts'
import {
  type ActionPageRequest,
  explainDenial,
  type PageOutcome,
  type PageRequest,
  type PageView,
} from './page-view.ts'

/** An agent, or the response or error for a request without an agent. */
export type Identified =
  | { readonly agent: IdentifiedAgent | undefined }
  | { readonly response?: Response | undefined; readonly error?: unknown }

/** Calls the sign-in. An error means that the request is denied. */
export async function identify(
  request: PageRequest,
  setup: Setup,
  env: unknown,
): Promise<Identified> {
  const { c, deadline } = request
  const { signal } = deadline
  provideSignInRequest(c, { ...setup, env, rawEnv: c.env, nowMs: request.now(), signal })
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
  request: PageRequest,
  setup: Setup,
  env: unknown,
): Promise<{ readonly view: PageView; readonly response?: Response } | undefined> {
  const { c, actions, page } = request
  const { signedOut: heading, signedOutText: text } = actions.messages
  const { searchParams } = new URL(c.req.url)
  const isPost = c.req.method === 'POST'
  const isOwn = isPost
    ? searchParams.has(SIGN_OUT) && actions.signIn.canSignOut === true
    : searchParams.has('state') && !searchParams.has('t')
  if (!isOwn) {
    return isPost || !searchParams.has(SIGNED_OUT)
      ? undefined
      : { view: page('shown', { heading, text }) }
  }
  const identified = await identify(request, setup, env)
  if ('agent' in identified) return undefined
  const { response, error } = identified
  if (response !== undefined) {
    return { view: page(isPost ? 'shown' : outcomeOf(response)), response }
  }
  const token = error instanceof SignInError ? error.token : undefined
  const again = token && linkTo(setup.path, token)
  return { view: page('forbidden', { again, ...explainDenial(error, actions.messages) }) }
}

/** Returns the outcome of a response of the sign-in: a redirect is a part of each sign-in. */
export function outcomeOf({ status }: Response): PageOutcome {
  return status < 400 ? 'sign_in' : 'forbidden'
}

/** Returns the relative URL that opens a link. */
export function linkTo(path: string, token: string): string {
  return `${path}?t=${encodeURIComponent(token)}`
}
