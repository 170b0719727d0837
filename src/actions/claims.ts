import { isArray, readProperty } from '../internal/hostile-values.ts'

/** The claims of a token about an agent. */
export type Claims = Readonly<Record<string, unknown>>

/** Sends a request to a provider or a proxy. Its default is the platform's `fetch`. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/** Returns a claim: of this name, or of a path such as `realm_access.roles`. */
export function readClaim(claims: unknown, name: string): unknown {
  const value = readProperty(claims, name)
  const [first = '', ...rest] = name.split('.')
  if (value !== undefined || rest.length === 0) return value
  return readClaim(readProperty(claims, first), rest.join('.'))
}

/** Returns the groups in a claim: an array, or one group as a text. */
export function readGroups(claims: unknown, claim: string): readonly string[] {
  const value = readClaim(claims, claim)
  const groups: readonly unknown[] = isArray(value) ? value : [value]
  return groups.filter((group) => typeof group === 'string')
}
