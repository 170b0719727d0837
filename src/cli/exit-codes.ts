/** What an exit code of `sidecard` means; the same for every command. @see docs/cli.md#exit-codes */
export const EXIT_CODES = {
  /** Done; nothing failed. */
  ok: 0,
  /** A rule failed, or what was looked at is not right. */
  failed: 1,
  /** The command was called wrongly; nothing was done. */
  usage: 2,
  /** Nothing answers at the address. */
  unreachable: 3,
  /** A fault of our own. */
  internal: 70,
  /** Ended by Ctrl-C or a signal before it was done; nothing is left of it. */
  interrupted: 130,
} as const
