import { func, readOptions } from '../internal/read-options.ts'
import type { Claims, ClaimState } from './claims.ts'

/** Options for `memoryClaims()`. */
export interface MemoryClaimsOptions {
  /** The time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: (() => number) | undefined
}

interface Held extends ClaimState {
  readonly owner: string
  readonly untilSeconds: number
}

/**
 * Remembers claims in the memory of this process, for an app that runs in one
 * process. It forgets them at a restart, so links that are older than the process
 * count as expired. Workers have no such process: there, it runs only in tests.
 *
 * @example
 * claims: memoryClaims()
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#claims
 */
export function memoryClaims(options: MemoryClaimsOptions = {}): Claims {
  const { now = Date.now } = readOptions('memoryClaims', options, { now: func })
  const held = new Map<string, Held>()
  const startedAtMs = now()
  const seconds = () => Math.floor(now() / 1_000)

  const claims: Claims = {
    startedAtMs,
    claim(id, owner, untilSeconds) {
      forgetExpired()
      const known = held.get(id)
      if (known !== undefined && !(known.owner === owner && known.state === 'running')) {
        return { state: known.state, atSeconds: known.atSeconds }
      }
      if (known === undefined) {
        held.set(id, { owner, state: 'running', atSeconds: seconds(), untilSeconds })
      }
      return 'claimed'
    },
    settle(id, owner, state) {
      const known = held.get(id)
      if (known?.owner === owner) held.set(id, { ...known, state, atSeconds: seconds() })
    },
    release(id, owner) {
      if (held.get(id)?.owner === owner) held.delete(id)
    },
    find(id) {
      forgetExpired()
      const known = held.get(id)
      return known && { state: known.state, atSeconds: known.atSeconds }
    },
  }
  memories.add(claims)
  return claims

  function forgetExpired(): void {
    const time = seconds()
    for (const [id, { untilSeconds }] of held) if (untilSeconds <= time) held.delete(id)
  }
}

const memories = new WeakSet<object>()

/** Returns whether claims are only in the memory of this process. */
export function isMemoryClaims(claims: object): boolean {
  return memories.has(claims)
}
