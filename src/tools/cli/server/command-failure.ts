import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { SourceLocation } from '../../emulator/protocol/exchanges.ts'
import { findHeadline } from '../../workspace/core/find-headline.ts'
import { findLocation } from './error-location.ts'
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
  /\[ERROR\]|^(?:PHP )?(?:Fatal|Parse) error:|^\*\* \(|\(\w*Error\)$|^Exception in thread|^\S+\.java:\d+: error:|^\S+\.go:\d+:\d+: |(?:^|\s)(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?(?::|$)|^(?:error|fatal|panic)(?:\[\w+\])?:|^Traceback|\berror TS\d+|\bEADDRINUSE\b/

const BUILD_FAILURE = /\[ERROR\] Build failed|^(?:Build failed|Failed to compile)\b|\berror TS\d+:/m

/** Wrangler's warning that it cannot reach the network, which does not explain a failure. */
const NETWORK_WARNING =
  /^.*\[wrangler:warn\] Unable to fetch the `Request\.cf`.*\n(?:.*Error:.*\n)?(?:\s+at .*\n)*/gm

/** A line that may precede an error: Node prints the location first, then the source line. */
const PLACE = /^(?:file:\/\/)?\/\S.*:\d+(?::\d+)?$|^[A-Za-z]:\\.*:\d+$|^\s*File "[^"]+", line \d+/

/**
 * Finds the last error in the output of a command.
 *
 * @returns `undefined` if no line looks like an error
 */
export function findCommandFailure(output: string, folder: string): CommandFailure | undefined {
  const lines = toLines(stripVTControlCharacters(output).replaceAll(NETWORK_WARNING, ''))
  const last = lines.findLastIndex((line) => ERROR.test(line) && !/^\s+at /.test(line))
  if (last === -1) return undefined
  const start = findStart(lines, last)
  const block = lines.slice(start, start + 40)
  const end = block.findIndex((line, index) => index > 8 && line === '')
  const shown = block.slice(0, end === -1 ? MAX_LINES : Math.min(end, MAX_LINES))
  // Python prints the message after the stack.
  const isCut = last - start >= MAX_LINES && findHeadline(shown.join('\n')) === undefined
  const excerpt = isCut ? lines.slice(last - MAX_LINES + 1, last + 1) : shown
  return { location: findLocation(block, folder), excerpt: excerpt.join('\n').trim() }
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

function findStart(lines: readonly string[], last: number): number {
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
