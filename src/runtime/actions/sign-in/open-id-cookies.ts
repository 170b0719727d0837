import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { JWTPayload } from 'jose'
import { createId, digest, seal, sign, unseal } from '../links/crypto.ts'
import type { IdentifiedAgent, SignInRequest } from './agent.ts'
import { DenialError } from './groups.ts'

/** The maximum number of concurrent sign-ins in one browser, of all apps on a host. */
const MAX_ATTEMPTS = 6

/**
 * The maximum length of all attempts in characters, because Node allows 16 kB for
 * all headers together, and the browser sends the attempts to each app on the host.
 */
const MAX_ATTEMPT_CHARACTERS = 8_000

/** Browsers accept a cookie with this prefix only from the host itself, and not from a subdomain. */
const PREFIX = '__Host-sidecard-'

/** Matches the cookie of an attempt, of any app on the host. */
const ATTEMPT = new RegExp(`^${PREFIX}[\\w-]{12}-([\\da-z]+\\.[\\w-]+)$`)

/** How long an agent may take to sign in. */
const ATTEMPT_SECONDS = 600

/** The maximum length of a cookie in characters, because browsers drop a longer one. */
const MAX_COOKIE_CHARACTERS = 4_000

/** The value of the session cookie after a sign-out. */
const SIGNED_OUT = 'out'

/** How long a sign-out is remembered, so that the next sign-in asks for the password. */
const SIGNED_OUT_SECONDS = 2_592_000

/** A sign-in that has started. Without the key, nothing in it can be guessed. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A session in a browser. */
export interface Session {
  readonly id: string
  readonly agent: IdentifiedAgent
  readonly endsAtSeconds: number
}

/**
 * Opens the cookies of a sign-in: one for the session, and one for each attempt.
 * Each attempt has its own cookie, because two tabs that open at the same time
 * would overwrite a shared one. The names are derived from the page and the app, so
 * that two apps on one host do not share a session. `id` also identifies the
 * provider and the options of the sign-in.
 */
export async function openCookies(c: Context, request: SignInRequest, id: string) {
  const { audience, keys, nowMs } = request
  const sessionName = PREFIX + (await digest(audience)).slice(0, 12)
  const set = (name: string, value: string, maxAge: number) => {
    // Browsers require this path for the prefix.
    const options = { path: '/', httpOnly: true, secure: true, sameSite: 'Lax', maxAge } as const
    setCookie(c, name, value, options)
  }
  /** @throws {DenialError} if the request contains the cookie twice: one may be somebody else's */
  const read = (name: string): string | undefined => {
    const pairs = (c.req.raw.headers.get('cookie') ?? '').split(';')
    const found = pairs.filter((pair) => pair.split('=', 1)[0]?.trim() === name)
    if (found.length < 2) return getCookie(c, name)
    throw new DenialError(
      'The browser sent a cookie of the sign-in twice. Delete the cookies of this site.',
    )
  }
  /**
   * An attempt is derived from its state, so its cookie only contains the link, and
   * many fit into a request.
   */
  const attemptOf = async (state: string): Promise<Attempt> => {
    const [nonce, verifier] = await Promise.all([
      sign(keys[0].form, 'nonce', id, state),
      sign(keys[0].form, 'verifier', id, state),
    ])
    return { state, nonce, verifier }
  }

  /** @throws {DenialError} if a browser would drop the cookie */
  const writeSession = async ({ id: jti, agent, endsAtSeconds: exp }: Session): Promise<void> => {
    const iat = Math.floor(nowMs / 1_000)
    const value = await seal({ agent, jti, aud: id, iat, exp }, keys[0].session)
    if (value.length > MAX_COOKIE_CHARACTERS) {
      throw new DenialError('The ID, the email address and the groups do not fit into a cookie.')
    }
    set(sessionName, value, exp - iat)
  }

  return {
    /** Whether the agent has signed out since the last sign-in. */
    hasSignedOut: getCookie(c, sessionName) === SIGNED_OUT,
    /**
     * Returns the session of the browser, and keeps it alive.
     *
     * @param idleSeconds how long a session lasts without a request
     */
    async readSession(idleSeconds: number | undefined): Promise<Session | undefined> {
      const value = read(sessionName) ?? ''
      const opened = await unseal(value, keys, 'session', { audience: id })
      if (opened === undefined) return undefined
      const { jti, agent, exp, iat } = opened.claims as Required<JWTPayload>
      const session = { id: jti, agent: agent as IdentifiedAgent, endsAtSeconds: exp }
      const idleForSeconds = nowMs / 1_000 - iat
      if (nowMs >= exp * 1_000 || idleForSeconds > (idleSeconds ?? Infinity)) return undefined
      if (idleSeconds === undefined) return session
      await writeSession(session)
      return session
    },
    writeSession,
    endSession: () => set(sessionName, SIGNED_OUT, SIGNED_OUT_SECONDS),
    /** Begins an attempt, and ends the oldest ones. */
    startAttempt(token: string): Promise<Attempt> {
      // A state begins with the time, so sorting the states also orders the attempts by age.
      const state = `${nowMs.toString(36)}.${createId()}`
      const attempts = Object.entries(getCookie(c))
        .flatMap(([name, { length }]) => {
          const started = ATTEMPT.exec(name)?.[1]
          return started === undefined ? [] : [{ name, length, started }]
        })
        .toSorted((one, other) => (one.started < other.started ? 1 : -1))
      let used = token.length
      for (const [index, { name, length }] of attempts.entries()) {
        used += length
        if (index >= MAX_ATTEMPTS - 1 || used > MAX_ATTEMPT_CHARACTERS) set(name, '', 0)
      }
      set(`${sessionName}-${state}`, token, ATTEMPT_SECONDS)
      return attemptOf(state)
    },
    /**
     * Ends an attempt of this browser, and returns its link.
     *
     * @throws {DenialError} if this browser did not begin it, or began it too long ago, or
     * sent it twice
     */
    async endAttempt(state: string) {
      const name = `${sessionName}-${state}`
      const token = read(name)
      if (token === undefined) {
        throw new DenialError('This sign-in did not start in this browser, or has already ended.')
      }
      set(name, '', 0)
      const ageMs = nowMs - Number.parseInt(state, 36)
      if (!(ageMs <= ATTEMPT_SECONDS * 1_000)) {
        throw new DenialError('The sign-in took too long.', undefined, token)
      }
      return { attempt: await attemptOf(state), token }
    },
  }
}
