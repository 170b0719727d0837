/** A function with options, for the test that the same mistake has the same text everywhere. */
export interface Row {
  /** The caller in messages. */
  readonly caller: string
  readonly call: (options: any) => unknown
  readonly option: string
  readonly typo: string
  readonly number?: { readonly name: string; readonly expected: string; readonly outside: number }
  /** Options without which the call fails. */
  readonly valid?: object
}
