import { openSources } from '../../emulator/store/source-files.ts'
import type { SourceLocation } from '../../emulator/protocol/exchanges.ts'
import { stripAnsi } from '../../workspace/parts/console/strip-ansi.ts'
import type { CliContext } from '../io.ts'

/** The number of lines before and after the error. */
const AROUND = 2

/**
 * Returns five lines of a script with a caret; empty for any other file, and if the line with
 * the error has been printed.
 */
export function formatCodeFrame(
  { file, line, column }: SourceLocation,
  io: CliContext,
  printed: string,
): string {
  const { cwd, palette } = io
  let frame
  try {
    frame = openSources(cwd).frame({ file, line })
  } catch {
    return ''
  }
  const source = frame.lines[line - frame.first]?.trim() ?? ''
  if (source !== '' && printed.includes(source)) return ''
  const rows = frame.lines.flatMap((text, index) => {
    const number = frame.first + index
    if (Math.abs(number - line) > AROUND) return []
    const gutter = `${String(number).padStart(6)} │ `
    const row = `${palette.dim(gutter)}${stripAnsi(text)}`
    if (number !== line) return [row]
    const indent = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')
    return [row, `${palette.dim('       │ ')}${indent}${palette.red('^')}`]
  })
  return rows.map((row) => `${row}\n`).join('')
}
