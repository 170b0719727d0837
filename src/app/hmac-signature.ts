import {
  assertHeaderName,
  assertSecrets,
  type Auth,
  type AuthResult,
  createSetupHint,
} from './auth.ts'
import {
  readSecrets,
  type SecretBinding,
  type Secrets,
  type SecretSource,
  usableSecrets,
} from './secrets.ts'
import { importHmacKey, createSignedText } from './signed-query.ts'

/** Options for `hmacSignature()`. */
export interface HmacSignatureOptions<S> {
  /** The header with the signature, in any case. */
  readonly header: string
  /** One secret, several during rotation, a function of the bindings, or `{ binding }`. */
  readonly secret: S
}

const SIGNATURE = /^[0-9a-fA-F]{64}$/

/**
 * Requires a signed query: hex HMAC-SHA256 over the query as JSON. Use it for
 * your own gateway, because the service does not sign its requests. While no
 * secret is set, every request is rejected.
 *
 * The signature contains no time, so a recorded request can be sent again: use
 * it over TLS, and rotate the secret.
 *
 * @throws {SidecardError} `invalid_options` for an invalid header name or secret
 * @see docs/guides/authentication.md#signed-requests
 * @example
 * hmacSignature({ header: 'x-signature', secret: { binding: 'SIDECARD_SECRET' } })
 */
export function hmacSignature(options: HmacSignatureOptions<Secrets | SecretBinding>): Auth
export function hmacSignature<B>(
  options: HmacSignatureOptions<(env: B) => Secrets | PromiseLike<Secrets>>,
): Auth<B>
export function hmacSignature<B>(
  { header, secret }: HmacSignatureOptions<SecretSource<B>> = {} as never,
): Auth<B> {
  assertHeaderName('hmacSignature: header', header)
  assertSecrets('hmacSignature', secret)
  return {
    async authenticate(request, env) {
      const secrets = usableSecrets(await readSecrets(secret, env))
      return verifySignature(secrets, request.headers.get(header), request.url)
    },
    setupHint: (env) => createSetupHint(header, secret, env),
  }
}

async function verifySignature(
  secrets: readonly string[],
  received: string | null,
  url: string,
): Promise<AuthResult> {
  if (secrets.length === 0) return 'unconfigured'
  if (received === null || !SIGNATURE.test(received)) return 'denied'
  const signature = parseHex(received)
  const signed = new TextEncoder().encode(createSignedText(url))
  let granted = false
  for (const secret of secrets) {
    // All secrets are tried, so that the duration does not reveal which one matched.
    // oxlint-disable-next-line no-await-in-loop -- there are two at most in practice
    const key = await importHmacKey(secret, 'verify')
    // oxlint-disable-next-line no-await-in-loop -- as above
    granted = (await crypto.subtle.verify('HMAC', key, signature, signed)) || granted
  }
  return granted ? 'granted' : 'denied'
}

function parseHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16))
}
