import { readProperty } from '../internal/hostile-values.ts'
import { runUserCode } from '../internal/user-code.ts'
import { ANYONE, type Agent, readDeveloper, type SignIn, toAgent } from './agent.ts'
import { createPage } from './outcomes.ts'
import type { PageView } from './page-view.ts'
import { isDevelopment, type Setup } from './setup.ts'
import { provideSignInRequest, SIGN_OUT, SIGNED_OUT, SignInError } from './sign-in-request.ts'
import type { Request } from './visit.ts'

/** An agent, or the response or the error of a request without one. */
export type Identified =
  | { readonly agent: Agent | undefined }
  | { readonly response?: Response | undefined; readonly error?: unknown }

/** Asks the sign-in. An error means that the request is denied. */
export async function identify(
  request: Request,
  { pageUrl, audience, keys }: Setup,
  env: unknown,
): Promise<Identified> {
  const { c, nowMs, deadline } = request
  const { signal } = deadline
  provideSignInRequest(c, { pageUrl, audience, keys, env, rawEnv: c.env, nowMs, signal })
  try {
    const result: unknown = await runUserCode(() => sourceOf(request)(c), deadline)
    if (isResponse(result)) return { response: result }
    if (result === ANYONE) return { agent: undefined }
    const agent = toAgent(result)
    return agent === undefined
      ? { error: new TypeError('The option signIn of actions() did not return an agent.') }
      : { agent }
  } catch (error) {
    return { error }
  }
}

/** A test and the machine of a developer have their own agent. */
function sourceOf({ c, actions, test }: Request): SignIn {
  if (test !== undefined && 'agent' in test) return (() => test.agent) as SignIn
  return isDevelopment(c) ? readDeveloper : actions.signIn
}

/** Hosts replace `Response`, so that `instanceof` may fail. */
function isResponse(value: unknown): value is Response {
  return readProperty(value, Symbol.toStringTag) === 'Response'
}

/** Returns the path of the form that signs out, if the sign-in can do that. */
export function signOutPath(request: Request, { pageUrl }: Setup): string | undefined {
  const { signIn } = request.actions
  const canSignOut = signIn.canSignOut === true && sourceOf(request) === signIn
  return canSignOut ? `${new URL(pageUrl).pathname}?${SIGN_OUT}` : undefined
}

/**
 * Handles a request that is the sign-in's own: the reply of a provider, or a sign-out. Returns
 * `undefined` for any other one.
 */
export async function handleSignIn(
  request: Request,
  setup: Setup,
  env: unknown,
): Promise<{ readonly view: PageView; readonly response?: Response } | undefined> {
  const { c, actions } = request
  const { messages, signIn } = actions
  const { searchParams } = new URL(c.req.url)
  const isOwn =
    c.req.method === 'POST'
      ? searchParams.has(SIGN_OUT) && signIn.canSignOut === true
      : searchParams.has('state') && !searchParams.has('t')
  if (isOwn) {
    const identified = await identify(request, setup, env)
    if ('agent' in identified) return undefined
    const { response, error } = identified
    const token = error instanceof SignInError ? error.token : undefined
    const again = token && linkTo(new URL(setup.pageUrl).pathname, token)
    // A redirect to the sign-in is not a failure, so it is logged as shown.
    if (response !== undefined) return { view: createPage(request, 'shown'), response }
    return { view: createPage(request, 'forbidden', { error, again, showsTraceId: true }) }
  }
  if (c.req.method === 'POST' || !searchParams.has(SIGNED_OUT)) return undefined
  const { signedOut: heading, signedOutText: text } = messages
  return { view: createPage(request, 'shown', { heading, text }) }
}

/** Returns the URL of the page for a link, as seen from the page itself. */
export function linkTo(path: string, token: string): string {
  return `${path}?t=${encodeURIComponent(token)}`
}
