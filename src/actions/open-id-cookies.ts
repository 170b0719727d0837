import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { base64url, EncryptJWT, jwtDecrypt } from 'jose'
import type { SignInResult } from './agent.ts'
import { SignInError, type SignInRequest } from './sign-in-request.ts'
import { createId } from './token.ts'

/** How many sign-ins can be under way at the same time, in one browser. */
const MAX_ATTEMPTS = 6

/** In characters: all headers of a request together have at most 16 kB on Node. */
const MAX_ATTEMPT_CHARACTERS = 8_000

/** How long an agent may take to sign in. */
const ATTEMPT_SECONDS = 600

/** In characters: browsers drop a longer cookie. */
const MAX_COOKIE_CHARACTERS = 4_000

/** In place of a session, after a sign-out. */
const SIGNED_OUT = 'out'

/** How long the next sign-in after a sign-out asks for the password. */
const SIGNED_OUT_SECONDS = 2_592_000

/** One sign-in that is under way. Nothing in it can be guessed without the key. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The agent of a session, and the end of it. */
export interface Session {
  readonly agent: Exclude<SignInResult, symbol | Response>
  readonly seconds: number
}

/**
 * The cookies of a sign-in: one for the session, and one for each attempt. Attempts have their
 * own cookies because two tabs that open together do not see each other's. `id` belongs to the
 * page, the app and the provider, so that two apps on one host do not share a session.
 */
export class SignInCookies {
  readonly #c: Context
  readonly #request: SignInRequest
  readonly #id: string
  readonly #name: string

  constructor(c: Context, request: SignInRequest, id: string) {
    this.#c = c
    this.#request = request
    this.#id = id
    this.#name = `__Secure-sidecard-${id.slice(0, 12)}`
  }

  /** Whether the agent has signed out since the last sign-in. */
  get hasSignedOut(): boolean {
    return getCookie(this.#c, this.#name) === SIGNED_OUT
  }

  /** Returns the agent who is signed in. */
  async readAgent(): Promise<Session['agent'] | undefined> {
    const value = getCookie(this.#c, this.#name) ?? ''
    for (const { session } of this.#request.keys) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- the first key is nearly always the right one
        const { payload } = await jwtDecrypt(value, session, {
          audience: this.#id,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
          requiredClaims: ['aud', 'exp', 'agent'],
          currentDate: new Date(this.#request.nowMs),
        })
        return payload.agent as Session['agent']
      } catch {
        // It has expired, or belongs to another key.
      }
    }
    return undefined
  }

  /** @throws {SignInError} if a browser would drop the cookie */
  async startSession({ agent, seconds }: Session): Promise<void> {
    const { keys, nowMs } = this.#request
    const value = await new EncryptJWT({ agent })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setAudience(this.#id)
      .setExpirationTime(Math.floor(nowMs / 1_000) + seconds)
      .encrypt(keys[0].session)
    if (value.length > MAX_COOKIE_CHARACTERS) {
      throw new SignInError('The ID, the email address and the groups do not fit into a cookie.')
    }
    this.#set(this.#name, value, seconds)
  }

  endSession(): void {
    this.#set(this.#name, SIGNED_OUT, SIGNED_OUT_SECONDS)
  }

  /** Begins an attempt, and ends the oldest ones. */
  async startAttempt(token: string): Promise<Attempt> {
    // The names begin with the time, so they are in order.
    const state = `${this.#request.nowMs.toString(36)}.${createId()}`
    const cookies = Object.entries(getCookie(this.#c))
      .filter(([name]) => name.startsWith(`${this.#name}-`))
      .toSorted(([one], [other]) => (one < other ? 1 : -1))
    let used = token.length
    for (const [index, [name, value]] of cookies.entries()) {
      used += value.length
      if (index >= MAX_ATTEMPTS - 1 || used > MAX_ATTEMPT_CHARACTERS) this.#set(name, '', 0)
    }
    this.#set(`${this.#name}-${state}`, token, ATTEMPT_SECONDS)
    return this.#attemptOf(state)
  }

  /**
   * Ends an attempt of this browser, and returns its link.
   *
   * @throws {SignInError} if this browser has not begun it, or too long ago
   */
  async endAttempt(state: string): Promise<{ readonly attempt: Attempt; readonly token: string }> {
    const name = `${this.#name}-${state}`
    const token = getCookie(this.#c, name)
    if (token === undefined) {
      throw new SignInError('This browser has not begun this sign-in, or it has ended it already.')
    }
    this.#set(name, '', 0)
    const ageMs = this.#request.nowMs - Number.parseInt(state, 36)
    if (!(ageMs <= ATTEMPT_SECONDS * 1_000)) {
      throw new SignInError('The sign-in took too long.', token)
    }
    return { attempt: await this.#attemptOf(state), token }
  }

  /** Derived, so that the cookie has only the link: many of them fit into a request. */
  async #attemptOf(state: string): Promise<Attempt> {
    const derive = async (purpose: string) => {
      const text = new TextEncoder().encode(JSON.stringify([purpose, this.#id, state]))
      const bytes = await crypto.subtle.sign('HMAC', this.#request.keys[0].form, text)
      return base64url.encode(new Uint8Array(bytes))
    }
    return { state, nonce: await derive('nonce'), verifier: await derive('verifier') }
  }

  #set(name: string, value: string, maxAge: number): void {
    setCookie(this.#c, name, value, {
      path: new URL(this.#request.pageUrl).pathname,
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      maxAge,
    })
  }
}
