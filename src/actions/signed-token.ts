import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { isArray, readProperty } from '../internal/hostile-values.ts'
import type { Agent, SignIn } from './agent.ts'

/** The claims of a token about an agent. */
export type Claims = Readonly<Record<string, unknown>>

/** Sends a request to a provider or a proxy. Its default is the platform's `fetch`. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/** Returns the groups in a claim: an array, or one group as a text. */
export function readGroups(claims: unknown, claim: string): readonly string[] {
  const value = readProperty(claims, claim)
  const groups: readonly unknown[] = isArray(value) ? value : [value]
  return groups.filter((group) => typeof group === 'string')
}

/** The tolerated difference between the clocks of the proxy and the app. */
const TOLERANCE_SECONDS = 30

/** A token that a proxy sends in a header, and its required claims. */
export interface SignedToken {
  readonly header: string
  /** The URL of the public keys, a JSON Web Key Set. */
  readonly keys: string
  readonly issuer: string
  readonly audience: string
  readonly algorithms: string[]
  readonly fetch: SendRequest | undefined
}

/**
 * Returns a reader of the token in a request. A token without an email address
 * belongs to a service, not to an agent.
 *
 * @param groupsOf returns the groups that a token names
 */
export function tokenReader(
  { header, keys: url, fetch, ...expected }: SignedToken,
  groupsOf: (claims: Claims) => readonly string[],
) {
  let keys: JWTVerifyGetKey | undefined
  return async (c: Parameters<SignIn>[0]): Promise<Agent> => {
    const token = c.req.raw.headers.get(header) ?? ''
    keys ??= createRemoteJWKSet(new URL(url), fetch === undefined ? {} : { [customFetch]: fetch })
    const { payload } = await jwtVerify(token, keys, {
      ...expected,
      requiredClaims: ['exp', 'sub', 'email'],
      clockTolerance: TOLERANCE_SECONDS,
    })
    const { sub, email, name } = payload as Readonly<Record<string, string>>
    return { id: sub || email!, email, name, groups: groupsOf(payload) }
  }
}
