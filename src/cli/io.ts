import colors from 'picocolors'
import type { Palette } from '../check/reporters/palette.ts'

/** Everything that a command reads from and writes to, so that a test can stand in for a terminal. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined }
  readonly stdout: {
    write(text: string): unknown
    readonly columns?: number | undefined
    readonly isTTY?: boolean | undefined
  }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that the command works in. */
  readonly cwd: string
  readonly palette: Palette
  /** Whether the standard output takes colour. */
  readonly color: boolean
}

/** The terminal, or whatever the process is connected to. */
export function processIo(): CliIo {
  const { stdin, stdout, stderr, env } = process
  const color = usesColor(stdout.isTTY, env)
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    color,
    palette: colors.createColors(color),
  }
}

/** Colour for a person: not when piped, and `NO_COLOR` and `FORCE_COLOR` have the last word. */
export function usesColor(isTTY: boolean | undefined, env: CliIo['env']): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true
  return isTTY === true && env['TERM'] !== 'dumb'
}
