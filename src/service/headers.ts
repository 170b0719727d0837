import { SidecardError } from '../internal/errors.ts'

/**
 * Rejects custom headers that HTTP does not allow.
 *
 * @throws {SidecardError} `invalid_header`, without the value
 */
export function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeader(name, value)) {
      throw new SidecardError(
        'invalid_header',
        `Invalid custom header ${JSON.stringify(name)}. Check the name for spaces, and the value for line breaks and non-Latin-1 characters.`,
      )
    }
  }
}

/** The platform decides; its own error would contain the value. */
function isHeader(name: string, value: string): boolean {
  try {
    return typeof value === 'string' && new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}

/** Headers with values that are never secret, and common in messages. */
const PUBLIC_HEADERS =
  /^(?:accept|accept-(?:encoding|language)|cache-control|content-type|user-agent)$/i

/** Returns whether a custom header may be a secret. */
export function isSecretName(name: string): boolean {
  return !PUBLIC_HEADERS.test(name)
}

/** Returns the values of custom headers that may be secrets. */
export function secretValues(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
}
