/** The seeds of each group that the farm did not find when it was recorded, and their number. */
export type FarmRecord = Readonly<
  Record<
    string,
    {
      readonly seeds: number
      readonly advised: readonly string[]
      readonly missed: readonly string[]
    }
  >
>
