import { base64url } from 'jose'
import { FETCH_DATA_PARAMETERS, type FetchDataParams } from '../../contract/parameters.ts'
import type { CachedSubject } from '../../internal/cache-types.ts'
import { seal, unseal } from './seal.ts'
import { type PackedSubjects, packSubjects, unpackSubjects } from './shown-subjects.ts'

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

/** The keys that are derived from one secret. */
export interface Keys {
  readonly link: CryptoKey
  readonly form: CryptoKey
  readonly receipt: CryptoKey
  readonly session: CryptoKey
  readonly review: CryptoKey
}

/** The shortest secret. `openssl rand -hex 32` has 64 characters. */
export const MIN_SECRET_LENGTH = 32

/** Derives keys from a secret, with HKDF. */
export async function deriveKeys(secret: string): Promise<Keys> {
  const bytes = new TextEncoder().encode(secret)
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits'])
  const derive = async (purpose: string) => {
    const info = new TextEncoder().encode(`sidecard/actions/1/${purpose}`)
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info }
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256))
  }
  const importKey = async (purpose: string) =>
    crypto.subtle.importKey('raw', await derive(purpose), 'AES-GCM', false, ['encrypt', 'decrypt'])
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return {
    link: await importKey('link'),
    receipt: await importKey('receipt'),
    session: await importKey('session'),
    form: await crypto.subtle.importKey('raw', await derive('form'), hmac, false, ['sign']),
    review: await crypto.subtle.importKey('raw', await derive('review'), hmac, false, ['sign']),
  }
}

/** Encrypts a link. `audience` is the URL of the page and the name of the app. */
export function sealLink(
  { name, input, ids, shown, id, issuedAtMs, expiresAtSeconds }: LinkContent,
  audience: string,
  { link }: Keys,
): Promise<string> {
  const values = FETCH_DATA_PARAMETERS.map((parameter) => ids[parameter] ?? null)
  const about = {
    act: name,
    inp: input,
    ids: values,
    shown: shown.length === 0 ? undefined : packSubjects(shown),
  }
  const times = { iat: issuedAtMs / 1_000, exp: expiresAtSeconds }
  return seal({ ...about, ...times, aud: audience, jti: id }, link)
}

/** A link, even an expired one, and the keys of its secret. */
export interface OpenedLink {
  readonly link: LinkContent
  readonly keys: Keys
}

/** This app never creates a longer token. */
const MAX_TOKEN_LENGTH = 4_096

/** Decrypts a link; `undefined` if it was changed, or belongs to another secret or app. */
export async function openLink(
  token: string,
  audience: string,
  keys: readonly Keys[],
  nowMs: number,
): Promise<OpenedLink | undefined> {
  if (token.length > MAX_TOKEN_LENGTH) return undefined
  const requiredClaims = ['aud', 'exp', 'iat', 'jti', 'act', 'inp', 'ids']
  const linkKeys = keys.map(({ link }) => link)
  const opened = await unseal(token, linkKeys, { audience, requiredClaims }, nowMs)
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
  return { link, keys: keys[opened.keyIndex]! }
}

interface LinkClaims extends Record<'act' | 'inp' | 'jti', string> {
  readonly ids: readonly (string | null)[]
  /** Absent if there are none. */
  readonly shown?: PackedSubjects
  readonly iat: number
  readonly exp: number
}

/** Returns the token of a form, which is bound to a link and to the agent who loaded the form. */
export function createFormToken(
  { form }: Keys,
  linkId: string,
  agentId: string | undefined,
): Promise<string> {
  return sign(form, linkId, agentId ?? null)
}

/** Returns the HMAC of values, as text. */
export async function sign(key: CryptoKey, ...parts: readonly (string | null)[]): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, toBytes(parts))))
}

/** Returns a random ID. */
export function createId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
}

/** Returns a digest of values, so that stores do not learn what a receipt is about. */
export async function digest(...parts: readonly (string | null)[]): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', toBytes(parts))))
}

function toBytes(parts: readonly (string | null)[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(parts))
}
