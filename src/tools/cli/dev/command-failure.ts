import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import type { SourceLocation } from '../../emulator/protocol/exchanges.ts'
import { readManifest } from '../read-manifest.ts'

/** The location and the reason of a failure of the dev command, found in its output. */
export interface CommandFailure {
  readonly location: SourceLocation | undefined
  /** The lines of the output with the error. */
  readonly excerpt: string
}

const MAX_LINES = 14
const MAX_LINE_LENGTH = 300

/** The first line of an error, in the formats of several languages' runtimes and bundlers. */
const ERROR =
  /\[ERROR\]|(?:^|\s)(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?::|$)|^(?:error|fatal|panic)(?:\[\w+\])?:|^Traceback|\berror TS\d+|\bEADDRINUSE\b/

const BUILD_FAILURE = /\[ERROR\] Build failed|^(?:Build failed|Failed to compile)\b|\berror TS\d+:/m

/** Wrangler's warning that it cannot reach the network, which does not explain a failure. */
const NETWORK_WARNING =
  /^.*\[wrangler:warn\] Unable to fetch the `Request\.cf`.*\n(?:.*Error:.*\n)?(?:\s+at .*\n)*/gm

/** A line that may precede an error: Node prints the location first, then the source line. */
const PLACE = /^(?:file:\/\/)?\/\S.*:\d+(?::\d+)?$|^[A-Za-z]:\\.*:\d+$/

/** Matches locations such as `path:12:3`, `file:///path:12:3` and `"path", line 12`. */
const LOCATION =
  /(file:\/\/\/[^\s:()]+|(?:[A-Za-z]:)?[\w@~./\\-]+\.\w{1,6}):(\d+)(?::(\d+))?|"([^"]+)", line (\d+)/g

/**
 * Finds the last error in the output of a command.
 *
 * @returns `undefined` if no line looks like an error
 */
export function findCommandFailure(output: string, folder: string): CommandFailure | undefined {
  const lines = toLines(stripVTControlCharacters(output).replaceAll(NETWORK_WARNING, ''))
  const start = findStart(lines)
  if (start === -1) return undefined
  const block = lines.slice(start, start + 40)
  const end = block.findIndex((line, index) => index > 8 && line === '')
  const shown = block.slice(0, end === -1 ? MAX_LINES : Math.min(end, MAX_LINES))
  return { location: findLocation(block, folder), excerpt: shown.join('\n').trim() }
}

/**
 * Returns whether a bundler reports that the code does not compile. In this case,
 * the server continues to listen. Errors that the app logs have another format.
 */
export function reportsBuildFailure(output: string): boolean {
  return BUILD_FAILURE.test(stripVTControlCharacters(output))
}

/** Returns the last lines of the output, for a command that failed without a recognized error. */
export function lastLines(output: string): string {
  const lines = toLines(stripVTControlCharacters(output).trimEnd())
  return lines.slice(-8).join('\n').trim()
}

function toLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => line.trimEnd().slice(0, MAX_LINE_LENGTH))
}

/** Returns a hint if packages are missing, which is the usual reason in a fresh clone. */
export function missingPackagesHint(folder: string): string | undefined {
  const manifest = readManifest(folder)
  const hasPackages = 'dependencies' in manifest || 'devDependencies' in manifest
  return hasPackages && !existsSync(join(folder, 'node_modules'))
    ? 'The folder has no node_modules. Run npm install first.'
    : undefined
}

function findStart(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => ERROR.test(line) && !/^\s+at /.test(line))
  if (last === -1) return -1
  // A stack may contain another one ("[cause]: Error"), so the block starts at the first of the
  // adjacent error lines.
  let start = last
  for (let index = last - 1; index >= Math.max(0, last - 30); index -= 1) {
    const line = lines[index] ?? ''
    if (ERROR.test(line) || PLACE.test(line)) start = index
    else if (line !== '' && !/^\s/.test(line) && last - index > 6) break
  }
  return start
}

function findLocation(block: readonly string[], folder: string): CommandFailure['location'] {
  // Node marks the column below the source line. Python's mark ignores the indentation, so it is
  // not the column.
  const mark = block.find((text) => /^\s*\^+$/.test(text)) ?? '^'
  const found = block.flatMap((text) => [...text.matchAll(LOCATION)])
  const places: SourceLocation[] = []
  for (const [, path = '', row, column, quoted, quotedRow] of found) {
    const file = findOwnFile(quoted ?? path, folder)
    const marked = quoted === undefined ? mark.indexOf('^') + 1 : 1
    if (file !== undefined) {
      places.push({ file, line: Number(quotedRow ?? row), column: Number(column ?? marked) })
    }
  }
  // Node prints the innermost call first, and Python last.
  return places.at(block.some((text) => text.startsWith('Traceback')) ? -1 : 0)
}

/** Returns the path of an existing file, unless it belongs to a package. */
function findOwnFile(path: string, folder: string): string | undefined {
  if (/(?:^|[\\/])(?:node_modules|\.wrangler)[\\/]/.test(path)) return undefined
  try {
    const absolute = path.startsWith('file://') ? fileURLToPath(path) : resolve(folder, path)
    if (!existsSync(absolute)) return undefined
    const inside = relative(folder, absolute)
    return inside.startsWith('..') ? absolute : inside.split(sep).join('/')
  } catch {
    // A URL with an encoded slash, for example, is not a path.
    return undefined
  }
}
