import {
  type Failure,
  type FailureDetail,
  serializeErrorDetails,
} from '../../internal/failure-detail.ts'
import { toErrorDetail } from '../observe/log-error.ts'

/** The maximum size of the encoded header in bytes, which HTTP servers accept. */
const MAX_HEADER_BYTES = 6 * 1024
const MAX_MESSAGE_LENGTH = 600
const MAX_STACK_LENGTH = 1_600
const MAX_STACK_HEAD_LENGTH = 200
const MAX_ISSUES = 3

/** Formats the failures with their errors as the value of `x-sidecard-error`, without secrets. */
export function formatErrors(failures: readonly Failure[], requestHeaders: Headers): string {
  const redact = createHeaderRedactor(requestHeaders)
  const details = failures.map(({ kind, section, component, stale, error }): FailureDetail => {
    const { name, message, stack, issues } = toErrorDetail(error)
    return {
      kind,
      stale,
      section,
      component,
      error: {
        name: redact(name).slice(0, 80),
        message: redact(message).slice(0, MAX_MESSAGE_LENGTH),
        stack: stack && shortenStack(redact(stack)),
        issues: issues?.slice(0, MAX_ISSUES).map((issue) => ({
          ...issue,
          path: redact(issue.path).slice(0, 200),
          message: redact(issue.message).slice(0, 200),
        })),
      },
    }
  })
  let value = serializeErrorDetails(details)
  while (value.length > MAX_HEADER_BYTES) {
    details.pop()
    value = serializeErrorDetails(details)
  }
  return value
}

/** Shortens the message at the start of a stack, so that it leaves room for the frames. */
function shortenStack(stack: string): string {
  const frames = Math.max(0, stack.search(/\n[ \t]+at /))
  const head = stack.slice(0, Math.min(frames, MAX_STACK_HEAD_LENGTH))
  return (head + stack.slice(frames)).slice(0, MAX_STACK_LENGTH)
}

/** Redacts the header values of the request, since the custom headers hold the secret. */
function createHeaderRedactor(headers: Headers): (text: string) => string {
  const values = [...headers]
    .flatMap(([, value]) => [value, value.replace(/^\w+ /, '')])
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length)
  return (text) => values.reduce((safe, value) => safe.replaceAll(value, '[redacted]'), text)
}
