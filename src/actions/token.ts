import { base64url, EncryptJWT, errors, jwtDecrypt } from 'jose'
import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../contract/parameters.ts'
import { constantTimeEqual } from '../internal/constant-time-equal.ts'

/** The content of a link. All of it is required. */
export interface LinkContent {
  /** The name of the action. */
  readonly name: string
  /** The input of the action, as JSON. */
  readonly input: string
  /** The IDs of the issue. */
  readonly ids: FetchDataParams
  /** The key under which the sidebar with the button is cached, as a hash, if it is. */
  readonly cacheKey?: string | undefined
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
  }
}

/** Encrypts a link. `audience` is the URL of the page and the name of the app. */
export function sealLink(
  { name, input, ids, cacheKey, id, issuedAtMs, expiresAtSeconds }: LinkContent,
  audience: string,
  { link }: Keys,
): Promise<string> {
  const values = FETCH_DATA_PARAMETERS.map((parameter) => ids[parameter] ?? null)
  return new EncryptJWT({
    act: name,
    inp: input,
    ids: values,
    key: cacheKey,
    iat: issuedAtMs / 1_000,
  })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(audience)
    .setExpirationTime(expiresAtSeconds)
    .setJti(id)
    .encrypt(link)
}

/** A link, and whether it has expired. One with another secret, of another app, or changed is `invalid`. */
export type OpenedLink =
  | { readonly link: LinkContent; readonly keys: Keys; readonly hasExpired: boolean }
  | 'invalid'

/** A longer token was not made here. */
const MAX_TOKEN_LENGTH = 4_096

/** Decrypts a link with one of several keys, the current one first. */
export async function openLink(
  token: string,
  audience: string,
  keys: readonly Keys[],
  nowMs: number,
): Promise<OpenedLink> {
  if (token.length > MAX_TOKEN_LENGTH) return 'invalid'
  for (const each of keys) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the first key is nearly always the right one
      const { payload } = await jwtDecrypt(token, each.link, {
        audience,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['aud', 'exp', 'iat', 'jti', 'act', 'inp', 'ids'],
        currentDate: new Date(nowMs),
        clockTolerance: 0,
      })
      const link = readContent(payload)
      return link === undefined ? 'invalid' : { link, keys: each, hasExpired: false }
    } catch (error) {
      const link = error instanceof errors.JWTExpired ? readContent(error.payload) : undefined
      if (link !== undefined) return { link, keys: each, hasExpired: true }
    }
  }
  return 'invalid'
}

function readContent(payload: Readonly<Record<string, unknown>>): LinkContent | undefined {
  const { act, inp, ids, key, jti, iat, exp } = payload
  if (typeof act !== 'string' || typeof inp !== 'string' || typeof jti !== 'string')
    return undefined
  if (!Array.isArray(ids) || typeof iat !== 'number' || typeof exp !== 'number') return undefined
  const params = {} as { [Name in FetchDataParameter]: string | undefined }
  FETCH_DATA_PARAMETERS.forEach((parameter, index) => {
    const value: unknown = ids[index]
    params[parameter] = typeof value === 'string' ? value : undefined
  })
  return {
    name: act,
    input: inp,
    ids: params,
    cacheKey: typeof key === 'string' ? key : undefined,
    id: jti,
    issuedAtMs: Math.round(iat * 1_000),
    expiresAtSeconds: exp,
  }
}

/** Returns the token of a form: bound to a link and to the agent who loaded it. */
export async function createFormToken(
  { form }: Keys,
  linkId: string,
  agentId: string | undefined,
): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([linkId, agentId ?? null]))
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', form, text)))
}

/** Returns whether a form has its own token. */
export async function isFormToken(
  received: string,
  keys: Keys,
  linkId: string,
  agentId: string | undefined,
): Promise<boolean> {
  return constantTimeEqual(received, await createFormToken(keys, linkId, agentId))
}

/** Returns a random ID. */
export function createId(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(16)))
}

/** Returns a digest of values: stores must not learn what a receipt is about. */
export async function digest(...parts: readonly (string | null)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  return base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
