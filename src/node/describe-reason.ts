import { inspect } from 'node:util'

/** Describes anything that was thrown, with its stack and causes. It never throws. */
export function describeReason(reason: unknown): string {
  try {
    return inspect(reason)
  } catch {
    return 'a value that cannot be read'
  }
}
