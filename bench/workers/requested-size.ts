import type { Size } from '../candidates/payloads.ts'

/** Returns the number of components that a request asks for. */
export function requestedSize(header: string | null | undefined): Size {
  return Number(header ?? 15) as Size
}
