/** The seeds of a group that the farm did not find when it was recorded, and their number. */
export interface GroupRecord {
  readonly seeds: number
  readonly advised: readonly string[]
  readonly missed: readonly string[]
}

/** record.json, which docs/checks shows. */
export interface FarmRecord {
  readonly groups: Readonly<Record<string, GroupRecord>>
  /** For each rule, the number of seeds whose outcome is worse without it. */
  readonly killed: Readonly<Record<string, number>>
  /** The rules that report no seed. */
  readonly silent: readonly string[]
  /** The rules that report only seeds that other rules find as well. */
  readonly dead: readonly string[]
}

/** In how many runs the checker found a mix-up of a share of the responses. */
export interface Mixups {
  readonly share: number
  readonly runs: number
  readonly found: number
  /** The share of runs that is proven with a confidence of 95 %. */
  readonly atLeast: number
}

/** mixups.json, which docs/checks shows. */
export interface MixupRecord {
  readonly mixups: readonly Mixups[]
  /** The requests of a check of two customers. */
  readonly requests: number
}
