import { base64url } from 'jose'
import type { CachedSubject, ShownSubject } from '../../internal/cache-types.ts'

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
