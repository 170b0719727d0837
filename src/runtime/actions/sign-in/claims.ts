import { readProperty } from '../../internal/hostile-values.ts'
import { isLoopback } from '../../internal/is-loopback.ts'
import { kind } from '../../internal/read-options.ts'
import { DenialError, parseGroups } from './groups.ts'

/** The claims of a token about an agent. */
export type Claims = Readonly<Record<string, unknown>>

/** Sends a request to a provider or a proxy. Its default is the platform's `fetch`. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/** The kind of a URL whose traffic cannot be changed on the way. */
export const SECURE_URL = kind<string>('an https URL, or an http URL on loopback', (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
})

/** Returns whether every Google account can sign in at an issuer. */
export function isGoogle(issuer: string): boolean {
  return new URL(issuer).hostname === 'accounts.google.com'
}

/** Returns a claim: of this name, or of a path such as `realm_access.roles`. */
export function readClaim(claims: unknown, name: string): unknown {
  const value = readProperty(claims, name)
  const [first = '', ...rest] = name.split('.')
  if (value !== undefined || rest.length === 0) return value
  return readClaim(readProperty(claims, first), rest.join('.'))
}

/**
 * Returns the groups in a claim of the first source that has it; `undefined` if all lack it.
 *
 * @throws {DenialError} if a source says that it has too many groups, or the claim has
 * a different type
 */
export function readGroups(
  claim: string,
  ...sources: readonly Claims[]
): readonly string[] | undefined {
  if (sources.some((claims) => hasTooManyGroups(claims, claim))) {
    throw new DenialError(
      'The token has too many groups. Assign groups to the application, or use app roles.',
      'tooManyGroups',
    )
  }
  const values = sources.map((claims) => readClaim(claims, claim))
  return parseGroups(
    values.find((value) => value !== undefined && value !== null),
    `The claim ${claim}`,
  )
}

/** Returns whether a token refers to a different place for its groups, as Entra ID does. */
function hasTooManyGroups(claims: unknown, claim: string): boolean {
  const names = readProperty(claims, '_claim_names')
  const has = readProperty(claims, 'hasgroups')
  const [first = '', ...rest] = claim.split('.')
  return (
    readProperty(names, claim) !== undefined ||
    // The flag is about this claim only: a token with too many groups can still list app roles.
    (claim === 'groups' && (has === true || has === 'true')) ||
    (rest.length > 0 &&
      (readProperty(names, first) !== undefined ||
        hasTooManyGroups(readProperty(claims, first), rest.join('.'))))
  )
}

/**
 * Describes when a token was issued by the clock of this server, for an error about its
 * times. The usual cause is a clock that is wrong.
 */
export function describeAge(claims: unknown): string {
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(readProperty(claims, 'iat'))
  if (Number.isNaN(ageSeconds)) return ''
  const place = ageSeconds < 0 ? 'in the future' : 'ago'
  return ` By the clock of this server, the token was issued ${Math.abs(ageSeconds)} seconds ${place}. Compare the clocks.`
}

/**
 * Libraries accept any time of issue, even one that only a wrong clock can write.
 *
 * @throws {DenialError} if a token was issued in the future
 */
export function checkIssuedAt(claims: { readonly iat?: unknown }, toleranceSeconds: number): void {
  if (!(Number(claims.iat) > Date.now() / 1_000 + toleranceSeconds)) return
  throw new DenialError(`The token was issued in the future.${describeAge(claims)}`)
}
