import { isArray, readProperty } from '../internal/hostile-values.ts'

/** The content of a token. */
export type Claims = Readonly<Record<string, unknown>>

/** Sends a request to a provider or a proxy. Its default is the platform's `fetch`. */
export type SendRequest = (url: string, init: RequestInit) => Promise<Response>

/** Returns the groups in a claim: an array, or one group as a text. */
export function readGroups(claims: unknown, claim: string): readonly string[] {
  const value = readProperty(claims, claim)
  const groups: readonly unknown[] = isArray(value) ? value : [value]
  return groups.filter((group) => typeof group === 'string')
}
