import { quote } from '../internal/escape-for-display.ts'

/** Returns whether a status redirects the client to another URL. 304 does not. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** Describes a status other than 200, for a message. */
export function describeStatus(status: number): string {
  if (isRedirect(status)) {
    return `returned ${status} (redirect); the service only calls the configured URL`
  }
  return status === 401 || status === 403
    ? `returned ${status}: a required header is missing or wrong`
    : `returned ${status}, expected 200`
}

/** Describes a `Content-Type`, for a message. */
export function describeContentType(contentType: string | undefined): string {
  return contentType === undefined ? 'missing' : quote(contentType)
}
