import type { Context } from 'hono'
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isHeaderName } from '../../app/request/secrets.ts'
import { readProperty } from '../../internal/hostile-values.ts'
import {
  flag,
  func,
  kind,
  listOf,
  readOptions,
  required,
  text,
  withDefault,
} from '../../internal/read-options.ts'
import type { IdentifiedAgent, SignIn } from './agent.ts'
import { checkIssuedAt, describeAge, readGroups, SECURE_URL, type SendRequest } from './claims.ts'
import { DenialError, groupsMissing } from './groups.ts'

/** Options of `signedHeader()`. */
export interface SignedHeaderOptions {
  /** The header with the token, such as `x-goog-iap-jwt-assertion`. */
  readonly header: string
  /** The claim `iss` of the token, such as `https://cloud.google.com/iap`. */
  readonly issuer: string
  /** The claim `aud` of the token: the proxy's name for this app. */
  readonly audience: string
  /**
   * The URL of the proxy's public keys, a JSON Web Key Set, such as
   * `https://www.gstatic.com/iap/verify/public_key-jwk`.
   */
  readonly keys: string
  /**
   * The claim with the agent's groups, or a path such as `realm_access.roles`. With this
   * option, a token without the claim is denied, because the groups are not known.
   * @default 'groups'
   */
  readonly groupsClaim?: string | undefined
  /** Whether the proxy leaves out the claim for agents without groups. @default false */
  readonly omitsEmptyGroups?: boolean | undefined
  /**
   * The origins to which the proxy redirects a form if the sign-in has expired,
   * such as `https://accounts.google.com`. Its own origin is always allowed.
   * @default []
   */
  readonly signInOrigins?: readonly string[] | undefined
  /** Fetches the public keys. @default the platform's `fetch` */
  readonly fetch?: SendRequest | undefined
}

/** Options of `cloudflareAccess()`. */
export interface CloudflareAccessOptions {
  /** The name of the team: `acme` in `acme.cloudflareaccess.com`. */
  readonly team: string
  /** The audience tag of the Access application that covers `/actions`. */
  readonly audience: string
  /**
   * The custom claim with the agent's groups, as the identity provider's settings in Access
   * name it. With this option, a token without the claim is denied, because the groups
   * are not known. @default 'groups'
   */
  readonly groupsClaim?: string | undefined
  /** Whether the identity provider leaves out the claim for agents without groups. @default false */
  readonly omitsEmptyGroups?: boolean | undefined
  /** Fetches the team's public keys. @default the platform's `fetch` */
  readonly fetch?: SendRequest | undefined
}

/** The tolerated difference between the clocks of the proxy and the app. */
const TOLERANCE_SECONDS = 30

/**
 * The accepted algorithms, all with public keys: anyone can read the keys, but
 * must not be able to sign.
 */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'EdDSA']

const HEADER = kind<string>(
  "the name of a header, such as 'x-goog-iap-jwt-assertion'",
  isHeaderName,
)

/** The kind of a list of origins. */
export const ORIGINS = listOf<string>(
  'an array of origins, such as https://accounts.google.com',
  (item) => typeof item === 'string' && URL.canParse(item) && new URL(item).origin === item,
)

const TEAM = kind<string>(
  "the name of a team, such as 'acme' of acme.cloudflareaccess.com",
  (value) => typeof value === 'string' && /^[a-z0-9][a-z0-9-]*$/.test(value),
)

const COMMON = {
  audience: required(text),
  groupsClaim: text,
  omitsEmptyGroups: withDefault(flag, false),
  fetch: func,
}

/**
 * Reads the agent from a signed token (JWT) that an identity-aware proxy sends in a header, such
 * as Google's Identity-Aware Proxy or Pomerium. It verifies the signature, the issuer, the
 * audience and the times. A token without an email address is denied: it belongs to a service.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/sign-in.md#an-identity-aware-proxy
 * @example
 * signIn: signedHeader({
 *   header: 'x-goog-iap-jwt-assertion',
 *   issuer: 'https://cloud.google.com/iap',
 *   audience: '/projects/7/global/backendServices/42',
 *   keys: 'https://www.gstatic.com/iap/verify/public_key-jwk',
 * })
 */
export function signedHeader(options: SignedHeaderOptions): SignIn {
  return readToken(
    readOptions('signedHeader', options, {
      ...COMMON,
      header: required(HEADER),
      issuer: required(text),
      keys: required(SECURE_URL),
      signInOrigins: ORIGINS,
    }),
  )
}

/**
 * Reads the agent from the token of Cloudflare Access. It verifies the signature
 * (with the team's keys), the issuer, the audience and the times. Service tokens
 * are denied.
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/sign-in.md#cloudflare-access
 * @example signIn: cloudflareAccess({ team: 'acme', audience: '8f3c0a' })
 */
export function cloudflareAccess(options: CloudflareAccessOptions): SignIn {
  const kinds = { ...COMMON, team: required(TEAM) }
  const { team, ...read } = readOptions('cloudflareAccess', options, kinds)
  const issuer = `https://${team}.cloudflareaccess.com`
  const header = 'cf-access-jwt-assertion'
  const keys = `${issuer}/cdn-cgi/access/certs`
  return readToken({ ...read, header, issuer, keys, signInOrigins: [issuer] }, 'custom.')
}

/** Creates a sign-in with a token. @param prefix the path of the claims that the options name */
function readToken(options: SignedHeaderOptions, prefix = ''): SignIn {
  const { header, issuer, audience, keys, groupsClaim, omitsEmptyGroups, fetch } = options
  const claim = prefix + (groupsClaim ?? 'groups')
  const expected = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub', 'email'],
    clockTolerance: TOLERANCE_SECONDS,
  }
  let keySet: JWTVerifyGetKey | undefined
  const signIn = async (c: Context): Promise<IdentifiedAgent> => {
    keySet ??= createRemoteJWKSet(new URL(keys), fetch && { [customFetch]: fetch })
    const token = c.req.raw.headers.get(header) ?? ''
    const { payload } = await jwtVerify(token, keySet, expected).catch(explainTimes)
    checkIssuedAt(payload, TOLERANCE_SECONDS)
    const { sub, email, name } = payload as Readonly<Record<string, string>>
    const groups = readGroups(claim, payload) ?? (omitsEmptyGroups === true ? [] : undefined)
    if (groups === undefined && groupsClaim !== undefined) {
      throw groupsMissing(`The claim ${claim} of the token`)
    }
    return { id: sub || email!, email, name, groups }
  }
  return Object.assign(signIn, { signInOrigins: options.signInOrigins })
}

/** @throws the error, with the age of the token if the error is about its times */
function explainTimes(error: unknown): never {
  const isLate = ['exp', 'nbf', 'iat'].includes(readProperty(error, 'claim') as string)
  if (!isLate || readProperty(error, 'reason') !== 'check_failed') throw error
  const age = describeAge(readProperty(error, 'payload'))
  throw new DenialError(`${String(readProperty(error, 'message'))}.${age}`)
}
