import type { Context, Env } from 'hono'
import { constantTimeEqual } from '../internal/constant-time-equal.ts'
import { SidecardError } from '../errors.ts'
import { isHeaderName, type Secrets, type SecretSource, usableSecrets } from './secrets.ts'

/**
 * What an authenticator found: `granted`; `denied` (nothing, or the wrong
 * thing, was presented); `unconfigured` (there is no secret to compare with, so
 * nobody is let in).
 */
export type AuthVerdict = 'granted' | 'denied' | 'unconfigured'

/**
 * Decides who may read. It sees every request, the handshake too, since the
 * service sends its custom headers with each. One that throws denies.
 *
 * @see docs/contract.md#authentication
 */
export interface Auth<E extends Env = Env> {
  /** What to do when the verdict is `unconfigured`; it goes into the log. */
  readonly remedy?: string
  authenticate(c: Context<E>): AuthVerdict | Promise<AuthVerdict>
}

/**
 * Lets in who sends a secret in a custom header. Compares in constant time with
 * each secret; a secret that is missing or blank at run time lets nobody in.
 *
 * @param name of the header, in any case, as configured on the custom app
 * @throws {SidecardError} `invalid_options` when the name cannot be a header's
 * @see docs/contract.md#authentication
 * @example
 * secretHeader('x-sidecard-secret', (env) => [env.SIDECARD_SECRET, env.SIDECARD_SECRET_OLD])
 */
export function secretHeader<E extends Env = Env>(name: string, secret: SecretSource<E>): Auth<E> {
  if (!isHeaderName(name)) {
    throw new SidecardError('invalid_options', 'secretHeader: give the name of a header first.')
  }
  const judge = (secrets: Secrets, given: string | null | undefined): AuthVerdict => {
    const known = usableSecrets(secrets)
    if (known.length === 0) return 'unconfigured'
    let granted = false
    for (const one of known) granted = constantTimeEqual(given ?? '', one.trim()) || granted
    return granted ? 'granted' : 'denied'
  }
  return {
    remedy: `The secret of the header "${name.toLowerCase()}" is not set, so every request is refused. Set it (Workers: npx wrangler secret put SIDECARD_SECRET; Node: the environment variable SIDECARD_SECRET).`,
    authenticate(c) {
      const given = c.req.raw.headers.get(name)
      const secrets = typeof secret === 'function' ? secret(c.env) : secret
      return secrets instanceof Promise
        ? secrets.then((resolved) => judge(resolved, given))
        : judge(secrets, given)
    },
  }
}

/**
 * Lets everybody in: anyone who finds the address can read what the app answers.
 * For apps that show nothing private.
 */
export function noAuth<E extends Env = Env>(): Auth<E> {
  return { authenticate: () => 'granted' }
}
