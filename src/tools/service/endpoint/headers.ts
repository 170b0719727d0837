import { SidecardError } from '../../../runtime/internal/errors.ts'

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

/**
 * Returns whether the platform accepts a header. The platform's own error would
 * contain the value.
 */
function isHeader(name: string, value: string): boolean {
  try {
    return typeof value === 'string' && new Headers([[name, value]]).has(name)
  } catch {
    return false
  }
}
