import type { Env } from 'hono'
import { SidecardError } from '../errors.ts'
import type { Auth, AuthVerdict } from './auth.ts'
import { isHeaderName, type SecretSource, usableSecrets } from './secrets.ts'
import { hmacKey, signedText } from './signed-query.ts'

/** Where the signature is, and what it is made with. */
export interface HmacSignatureOptions<E extends Env = Env> {
  /** The header that carries it, in any case. */
  readonly header: string
  /** The secret, several while one is being rotated out, or a function that finds them in `env`. */
  readonly secret: SecretSource<E>
}

const SIGNATURE = /^[0-9a-fA-F]{64}$/

/**
 * Lets in requests whose query is signed: hex HMAC-SHA256 over the query as
 * JSON. A secret that is missing or blank at run time lets nobody in.
 *
 * The signature holds no time, so whoever records a request can send it again
 * and read the same issue's answer: use it over TLS, and rotate the secret.
 *
 * @throws {SidecardError} `invalid_options` when `header` cannot be a header's name
 * @see docs/guides/authentication.md#signed-requests
 * @example
 * hmacSignature({ header: 'x-signature', secret: (env) => env.SIDECARD_SECRET })
 */
export function hmacSignature<E extends Env = Env>(options: HmacSignatureOptions<E>): Auth<E> {
  const { header, secret } = options
  if (!isHeaderName(header)) {
    throw new SidecardError(
      'invalid_options',
      'hmacSignature: header must be the name of a header, such as "x-signature".',
    )
  }
  return {
    remedy: `The secret of the signature in the header "${header.toLowerCase()}" is not set, so every request is refused. Set it (Workers: npx wrangler secret put SIDECARD_SECRET; Node: the environment variable SIDECARD_SECRET).`,
    async authenticate(c) {
      const found = typeof secret === 'function' ? await secret(c.env) : secret
      return judge(usableSecrets(found), c.req.raw.headers.get(header), c.req.url)
    },
  }
}

async function judge(
  secrets: readonly string[],
  given: string | null,
  url: string,
): Promise<AuthVerdict> {
  if (secrets.length === 0) return 'unconfigured'
  if (given === null || !SIGNATURE.test(given)) return 'denied'
  const signature = bytesOf(given)
  const signed = new TextEncoder().encode(signedText(url))
  let granted = false
  for (const secret of secrets) {
    // Each is tried, so that the time does not tell which one it was.
    // oxlint-disable-next-line no-await-in-loop -- there are two at most in practice
    granted =
      (await crypto.subtle.verify('HMAC', await hmacKey(secret, 'verify'), signature, signed)) ||
      granted
  }
  return granted ? 'granted' : 'denied'
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at += 1)
    bytes[at] = parseInt(hex.slice(at * 2, at * 2 + 2), 16)
  return bytes
}
