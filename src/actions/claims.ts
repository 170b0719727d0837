/** The state of a claim that another confirmation took. */
export interface ClaimState {
  /**
   * `running` until it ends; `done` after a success; `unknown` if it is not known
   * whether the action was done.
   */
  readonly state: 'running' | 'done' | 'unknown'
  /** When the state was reached, in seconds since 1970. */
  readonly atSeconds: number
}

/**
 * Remembers which actions are done, so that none is done twice. Implementations
 * are `redisClaims()`, `d1Claims()`, `postgresClaims()` and `memoryClaims()`.
 *
 * @see docs/guides/actions.md#claims
 */
export interface Claims {
  /**
   * Takes a claim, atomically: of several owners, exactly one gets `'claimed'`. An
   * owner who sends the same claim again gets `'claimed'` again.
   *
   * @param untilSeconds when the claim can be forgotten, in seconds since 1970
   */
  claim(
    id: string,
    owner: string,
    untilSeconds: number,
  ): 'claimed' | ClaimState | PromiseLike<'claimed' | ClaimState>
  /** Ends a claim of this owner. Does nothing if another owner has it. */
  settle(id: string, owner: string, state: 'done' | 'unknown'): unknown
  /** Gives a claim of this owner back, because nothing was done. */
  release(id: string, owner: string): unknown
  /**
   * Returns the state of a claim, or `undefined` if there is none. Without this
   * method, the page learns only at the confirmation that an action is done.
   */
  find?(id: string): ClaimState | undefined | null | PromiseLike<ClaimState | undefined | null>
  /** Links that were made before this time count as expired, in milliseconds since 1970. */
  readonly startedAtMs?: number
}

const STATES: readonly unknown[] = ['running', 'done', 'unknown']

/** Returns whether a value is a {@link ClaimState}: a store may return anything. */
export function isClaimState(value: unknown): value is ClaimState {
  if (typeof value !== 'object' || value === null) return false
  const { state, atSeconds } = value as Partial<ClaimState>
  return STATES.includes(state) && Number.isFinite(atSeconds)
}

/** The time, in seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
