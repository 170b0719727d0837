import { vi } from 'vitest'

/** Waits until an assertion holds. A busy machine may need more than the second that is the default. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 10_000, interval: 1 })
}
