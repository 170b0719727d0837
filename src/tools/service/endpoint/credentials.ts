import { toBinary } from '../../../runtime/internal/base64-json.ts'
import { decodeBinary } from './body.ts'

/** Matches names of headers that contain a secret. */
const SECRET_NAME = /auth|key|secret|token|pass|sign|credential|cookie|session|jwt|bearer/i

/** Matches headers that configure the response, whose values may appear in it. */
const PUBLIC_NAME =
  /^(?:accept(?:-.*)?|content-.*|user-agent|host|origin|referer|cache-control|traceparent|tracestate)$/i

/** Matches words in header names that identify a tenant or a version. */
const ADDRESSING_NAME =
  /tenant|organi[sz]ation|\borg\b|account|customer|workspace|region|locale|lang|version|stage|environment|\benv\b|trace|request-?id|correlation/i

/**
 * Returns the names of the custom headers that authenticate: those whose name
 * indicates a secret or whose value looks random. If there are none, returns those
 * without another known purpose.
 */
export function credentialNames(headers: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(headers)
  const secret = entries.filter(([name, value]) => isSecretHeader(name, value))
  const unexplained = entries.filter(
    ([name]) => !isPublicHeader(name) && !ADDRESSING_NAME.test(name),
  )
  return (secret.length > 0 ? secret : unexplained).map(([name]) => name)
}

/** Returns whether the name or the value of a header indicates a secret. */
export function isSecretHeader(name: string, value: string): boolean {
  if (isPublicHeader(name)) return false
  if (SECRET_NAME.test(name)) return true
  return !ADDRESSING_NAME.test(name) && looksRandom(value)
}

function looksRandom(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && /[a-z]/i.test(value)
}

/** Returns whether a header only configures the request, so that its value is never a secret. */
export function isPublicHeader(name: string): boolean {
  return PUBLIC_NAME.test(name)
}

/**
 * Returns the secret parts of a header value: a token without its scheme, the
 * values of cookies, and for Basic authentication, the password alone, with the
 * user, and encoded.
 */
export function secretParts(name: string, value: string): readonly string[] {
  const parts: string[] = []
  mapSecret(name, value, (secret) => {
    parts.push(secret)
    return secret
  })
  const basic = decodeBasic(value)
  if (basic !== undefined) parts.push(basic, value.trim().replace(/^\S+\s+/, ''))
  return [...new Set(parts)].filter((part) => part !== '')
}

/**
 * The minimum length of a cookie's value: a shorter one, such as a theme, occurs
 * in too many texts.
 */
const MIN_COOKIE_LENGTH = 4

/** Returns everything in custom headers that no output may contain. */
export function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (isPublicHeader(name)) return []
    const min = name.toLowerCase() === 'cookie' ? MIN_COOKIE_LENGTH : 1
    return secretParts(name, value).filter(({ length }) => length >= min)
  })
}

/** Applies a change to the secret parts of a header value. The scheme and names are unchanged. */
export function mapSecret(name: string, value: string, change: (secret: string) => string): string {
  const basic = decodeBasic(value)
  if (basic !== undefined) {
    const colon = basic.indexOf(':')
    const user = basic.slice(0, colon + 1)
    return `Basic ${btoa(toBinary(user + change(basic.slice(colon + 1))))}`
  }
  if (name.toLowerCase() === 'cookie') {
    return value
      .split(';')
      .map((pair) => {
        const [, before = '', secret = ''] = /^([^=]*=)\s*(.*?)\s*$/.exec(pair) ?? [pair, pair]
        return secret === '' ? pair : `${before}${change(secret)}`
      })
      .join(';')
  }
  const [, scheme, token] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value.trim()) ?? []
  return scheme === undefined || token === undefined
    ? change(value.trim())
    : `${scheme} ${change(token)}`
}

/** Decodes `Basic` credentials; `undefined` for any other value. */
function decodeBasic(value: string): string | undefined {
  const encoded = /^basic\s+([\w+/=-]+)$/i.exec(value.trim())?.[1]
  if (encoded === undefined) return undefined
  try {
    return decodeBinary(atob(encoded))
  } catch {
    return undefined
  }
}
