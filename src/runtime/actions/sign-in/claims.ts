import { readProperty } from '../../internal/hostile-values.ts'
import { DenialError } from './denial-error.ts'
import { parseGroups } from './groups.ts'

/** The claims of a token about an agent. */
export type Claims = Readonly<Record<string, unknown>>

/** Sends a request to a provider or a proxy. Its default is the platform's `fetch`. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

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
