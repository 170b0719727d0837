import { base64url } from 'jose'
import { FETCH_DATA_PARAMETERS, type FetchDataParams } from '../../contract/parameters.ts'
import type { CachedSubject, ShownSubject } from '../../internal/cache-types.ts'
import { type Keys, seal, unseal } from './crypto.ts'

/** The content of a link. All of it is required. */
export interface LinkContent {
  /** The name of the action. */
  readonly name: string
  /** The input of the action, as JSON. */
  readonly input: string
  /** The IDs of the issue. */
  readonly ids: FetchDataParams
  /** The cached sections that were shown next to the button. */
  readonly shown: readonly CachedSubject[]
  readonly id: string
  readonly issuedAtMs: number
  readonly expiresAtSeconds: number
}

/** Encrypts a link. `audience` is the URL of the page and the name of the app. */
export function sealLink(content: LinkContent, audience: string, keys: Keys): Promise<string> {
  const { name: act, input: inp, shown, id: jti, issuedAtMs, expiresAtSeconds: exp } = content
  const ids = FETCH_DATA_PARAMETERS.map((parameter) => content.ids[parameter] ?? null)
  const packed = shown.length === 0 ? undefined : packSubjects(shown)
  const times = { iat: issuedAtMs / 1_000, exp }
  return seal({ act, inp, ids, shown: packed, ...times, aud: audience, jti }, keys.link)
}

/** This app never creates a longer token. */
const MAX_TOKEN_LENGTH = 4_096

/**
 * Decrypts a link, even an expired one, and finds the keys of its secret; `undefined` if somebody
 * has changed it, or if a different app or secret has made it.
 */
export async function openLink(
  token: string,
  audience: string,
  keys: readonly Keys[],
): Promise<{ readonly link: LinkContent; readonly keys: Keys } | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const opened = await unseal(token, keys, 'link', { audience })
  if (opened === undefined) return undefined
  // This app sealed the token, so the claims have the types that sealLink() wrote.
  const { act, inp, ids, shown = {}, jti, iat, exp } = opened.claims as unknown as LinkClaims
  const params = FETCH_DATA_PARAMETERS.map((name, index) => [name, ids[index] ?? undefined])
  const link = {
    name: act,
    input: inp,
    ids: Object.fromEntries(params) as FetchDataParams,
    shown: unpackSubjects(shown),
    id: jti,
    issuedAtMs: Math.round(iat * 1_000),
    expiresAtSeconds: exp,
  }
  return { link, keys: opened.keys }
}

interface LinkClaims extends Record<'act' | 'inp' | 'jti', string> {
  readonly ids: readonly (string | null)[]
  /** Absent if there are none. */
  readonly shown?: PackedSubjects
  readonly iat: number
  readonly exp: number
}

/** Subjects by the name of their cache: 8 bytes each, as base64url. */
export type PackedSubjects = Readonly<Record<string, string>>

/** One subject, in hexadecimal. */
const SUBJECT = /[\da-f]{16}/g

/** Returns the shown sections in the order in which they expire, latest first. */
export function orderShown(shown: readonly ShownSubject[]): readonly ShownSubject[] {
  const unique = new Map(shown.map((each) => [each.subject, each]))
  return [...unique.values()].toSorted((a, b) => b.expiresAtMs - a.expiresAtMs)
}

export function packSubjects(shown: readonly CachedSubject[]): PackedSubjects {
  const hexByCache: Record<string, string> = {}
  for (const { cache, subject } of shown) hexByCache[cache] = (hexByCache[cache] ?? '') + subject
  const pack = (hex: string) =>
    base64url.encode(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
  return Object.fromEntries(Object.entries(hexByCache).map(([cache, hex]) => [cache, pack(hex)]))
}

export function unpackSubjects(packed: PackedSubjects): readonly CachedSubject[] {
  return Object.entries(packed).flatMap(([cache, text]) => {
    const hex = Array.from(base64url.decode(text), (byte) => byte.toString(16).padStart(2, '0'))
    const subjects = hex.join('').match(SUBJECT) ?? []
    return subjects.map((subject) => ({ cache, subject }))
  })
}
