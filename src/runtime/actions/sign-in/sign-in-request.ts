import type { Context } from 'hono'
import { DenialError } from './denial-error.ts'
import type { Setup } from '../links/setup.ts'

/** The data of one request to the page, for a sign-in with its own cookies. */
export interface SignInRequest extends Setup {
  /** The bindings: as the schema returns them, and as the host passes them. */
  readonly env: unknown
  readonly rawEnv: unknown
  readonly nowMs: number
  readonly signal: AbortSignal
}

// `signIn` only receives Hono's context, so that it can call another sign-in. This map has the
// rest.
const requests = new WeakMap<Context, SignInRequest>()

/** Provides the data of a request to its sign-in. */
export function provideSignInRequest(c: Context, request: SignInRequest): void {
  requests.set(c, request)
}

/** @throws {TypeError} outside of the page of the actions */
export function signInRequestOf(c: Context): SignInRequest {
  const request = requests.get(c)
  if (request !== undefined) return request
  throw new TypeError('openIdConnect() works only as the option signIn of actions().')
}

/** A sign-in that failed after the agent had left the page of a link. */
export class SignInError extends DenialError {
  override readonly name = 'SignInError'
  /** The link that the agent had opened. */
  readonly token: string | undefined

  constructor(message: string, token?: string, reason?: DenialError['reason']) {
    super(message, reason)
    this.token = token
  }
}

/** The query parameter of a form that signs out. */
export const SIGN_OUT = 'sign-out'

/** The query parameter of the page after a sign-out. */
export const SIGNED_OUT = 'signed-out'
