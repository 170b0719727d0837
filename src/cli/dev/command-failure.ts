import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { readManifest } from '../read-manifest.ts'

/** The location and the reason of a failure of the dev command, found in its output. */
export interface CommandFailure {
  /** Relative to the folder if the file is inside it. */
  readonly location:
    | { readonly file: string; readonly line: number; readonly column: number }
    | undefined
  /** The lines of the output with the error. */
  readonly excerpt: string
}

const MAX_LINES = 14
const MAX_LINE_LENGTH = 300

/** The first line of an error, in the formats of several languages' runtimes and bundlers. */
const ERROR =
  /\[ERROR\]|(?:^|\s)(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?::|$)|^(?:error|fatal|panic)(?:\[\w+\])?:|^Traceback|\berror TS\d+|\bEADDRINUSE\b/

const BUILD_FAILURE = /\[ERROR\] Build failed|^(?:Build failed|Failed to compile)\b|\berror TS\d+:/m

/** Wrangler's warning that it cannot reach the network explains no failure. */
const NETWORK_WARNING =
  /^.*\[wrangler:warn\] Unable to fetch the `Request\.cf`.*\n(?:.*Error:.*\n)?(?:\s+at .*\n)*/gm

/** A line that may precede an error: Node prints the location first, then the source line. */
const PLACE = /^(?:file:\/\/)?\/\S.*:\d+(?::\d+)?$|^[A-Za-z]:\\.*:\d+$/

/** `path:12:3`, `file:///path:12:3`, `"path", line 12`. */
const LOCATION =
  /(file:\/\/\/[^\s:()]+|(?:[A-Za-z]:)?[\w@~./\\-]+\.\w{1,6}):(\d+)(?::(\d+))?|"([^"]+)", line (\d+)/g

/**
 * Finds the last error in the output of a command.
 *
 * @returns `undefined` if no line looks like an error
 */
export function findCommandFailure(output: string, folder: string): CommandFailure | undefined {
  const lines = stripVTControlCharacters(output)
    .replaceAll(NETWORK_WARNING, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd().slice(0, MAX_LINE_LENGTH))
  const errorLine = findStart(lines)
  if (errorLine === -1) return undefined
  const block = lines.slice(errorLine, errorLine + 40)
  const end = block.findIndex((line, index) => index > 8 && line === '')
  const excerpt = block
    .slice(0, Math.min(end === -1 ? MAX_LINES : end, MAX_LINES))
    .join('\n')
    .trim()
  return { location: findLocation(block, folder), excerpt }
}

/**
 * Returns whether a bundler reports that the code does not compile. Its server
 * continues to listen in this case. An error that the app logs has another
 * format.
 */
export function reportsBuildFailure(output: string): boolean {
  return BUILD_FAILURE.test(stripVTControlCharacters(output))
}

/** Returns the last lines of the output, for a command that failed without a recognized error. */
export function lastLines(output: string): string {
  const lines = stripVTControlCharacters(output).trimEnd().split(/\r?\n/)
  return lines
    .slice(-8)
    .map((line) => line.slice(0, MAX_LINE_LENGTH))
    .join('\n')
    .trim()
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
  // The stack of an error may contain another one ("[cause]: Error"), so the first of adjacent
  // lines is the start.
  let start = last
  for (let index = last - 1; index >= Math.max(0, last - 30); index -= 1) {
    const line = lines[index] ?? ''
    if (ERROR.test(line) || PLACE.test(line)) start = index
    else if (line !== '' && !/^\s/.test(line) && last - index > 6) break
  }
  return start
}

function findLocation(block: readonly string[], folder: string): CommandFailure['location'] {
  const isPython = block.some((line) => line.startsWith('Traceback'))
  const places = block.flatMap((line) =>
    [...line.matchAll(LOCATION)].map(([, path, row, column, quoted, quotedRow]) => ({
      path: quoted ?? path ?? '',
      line: Number(quotedRow ?? row),
      column: Number(column ?? 1),
    })),
  )
  const ownPlaces = places.filter(({ path }) => isOwnFile(path, folder))
  // Python prints the innermost call last, so its places are reversed.
  const place = isPython ? ownPlaces.at(-1) : ownPlaces[0]
  if (place === undefined) return undefined
  return { file: toRelative(place.path, folder), line: place.line, column: place.column }
}

function isOwnFile(path: string, folder: string): boolean {
  if (/(?:^|[\\/])(?:node_modules|\.wrangler)[\\/]/.test(path)) return false
  try {
    return existsSync(toAbsolute(path, folder))
  } catch {
    // Some URLs are not paths, for example with an encoded slash.
    return false
  }
}

function toAbsolute(path: string, folder: string): string {
  if (path.startsWith('file://')) return fileURLToPath(path)
  return resolve(folder, path)
}

function toRelative(path: string, folder: string): string {
  const absolute = toAbsolute(path, folder)
  const inside = relative(folder, absolute)
  return inside.startsWith('..') ? absolute : inside.split(sep).join('/')
}
