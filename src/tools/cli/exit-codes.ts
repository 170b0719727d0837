/** The exit codes of `sidecard`, the same for every command. @see docs/cli.md#exit-codes */
export const EXIT_CODES = {
  /** The command succeeded, without failures. */
  ok: 0,
  /** A rule failed, the response or payload is invalid, or the dev command exited. */
  failed: 1,
  /** The usage was invalid. The command did not run. */
  usage: 2,
  /** The endpoint is unreachable. */
  unreachable: 3,
  /** An internal error. */
  internal: 70,
  /** The command was interrupted by Ctrl-C or a signal, and has cleaned up. */
  interrupted: 130,
} as const
