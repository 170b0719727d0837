import { styleText } from 'node:util'
import { createPalette, type Palette, PLAIN } from '../internal/palette.ts'

/** The input and output of a command. Tests replace it. */
export interface CliContext {
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined }
  readonly stdout: {
    write(text: string): unknown
    readonly columns?: number | undefined
    readonly isTTY?: boolean | undefined
  }
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined }
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory of the command. */
  readonly cwd: string
  readonly palette: Palette
  /** Whether standard output supports color. */
  readonly color: boolean
}

/** The colors of a terminal. `usesColor()` decides whether they are used, not the stream. */
const COLORS = createPalette((style, text) => styleText(style, text, { validateStream: false }))

/** Creates the context of this process: its terminal or pipes. */
export function createCliContext(): CliContext {
  const { stdin, stdout, stderr, env } = process
  const color = usesColor(stdout.isTTY, env)
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    color,
    palette: color ? COLORS : PLAIN,
  }
}

/**
 * Returns whether output is colored. `NO_COLOR` and `FORCE_COLOR` take
 * precedence; otherwise a terminal is required.
 */
export function usesColor(isTTY: boolean | undefined, env: CliContext['env']): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true
  return isTTY === true && env['TERM'] !== 'dumb'
}
