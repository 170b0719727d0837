import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { func, kind, readOptions, required } from '../internal/read-options.ts'
import type { SignIn } from './agent.ts'

/** Options of `cloudflareAccess()`. */
export interface CloudflareAccessOptions {
  /** The name of the team: `acme` of `acme.cloudflareaccess.com`. */
  readonly team: string
  /** The audience tag of the Access application that covers `/actions`. */
  readonly audience: string
  /** Fetches the team's public keys. @default the platform's `fetch` */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** The header in which Access sends its token. */
const HEADER = 'cf-access-jwt-assertion'

/**
 * Reads the agent from the token of Cloudflare Access. It verifies the signature
 * (RS256, with the keys of the team), the issuer, the audience and the times.
 * Service tokens are not agents.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#cloudflare-access
 * @example signIn: cloudflareAccess({ team: 'acme', audience: '8f3c0a' })
 */
export function cloudflareAccess(options: CloudflareAccessOptions): SignIn {
  const { team, audience, fetch } = readOptions('cloudflareAccess', options, {
    team: required(
      kind<string>(
        "the name of a team, such as 'acme' of acme.cloudflareaccess.com",
        (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]*$/.test(value),
      ),
    ),
    audience: required(
      kind<string>('the audience tag of the Access application', (value) => {
        return typeof value === 'string' && value.trim() !== ''
      }),
    ),
    fetch: func,
  })
  const issuer = `https://${team}.cloudflareaccess.com`
  let keys: JWTVerifyGetKey | undefined

  const identify = async (c: Parameters<SignIn>[0]) => {
    const token = c.req.raw.headers.get(HEADER) ?? ''
    keys ??= createRemoteJWKSet(
      new URL(`${issuer}/cdn-cgi/access/certs`),
      fetch === undefined ? {} : { [customFetch]: fetch },
    )
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'sub', 'email'],
    })
    const { sub, email, name } = payload as Readonly<Record<string, string>>
    return { id: sub || email!, email: email!, ...(name !== undefined && { name }) }
  }
  return Object.assign(identify, { signInOrigins: [issuer] })
}
