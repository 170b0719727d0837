import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileWrite } from './write-all.ts'

/** A change of a file, or the step that a person has to do because the file differs too much. */
export type Edit = { readonly write: FileWrite } | { readonly step: string }

/** Reads a file of the project. @returns `undefined` if it does not exist */
export function readProjectFile(folder: string, path: string): Promise<string | undefined> {
  return readFile(join(folder, path), 'utf8').catch(() => undefined)
}

/** Changes a text and keeps its line endings and its byte order mark. */
export function editText(stored: string, change: (text: string) => string): string {
  const mark = stored.startsWith('\uFEFF') ? '\uFEFF' : ''
  const lineEnd = stored.includes('\r\n') ? '\r\n' : '\n'
  const text = change(stored.slice(mark.length).replaceAll('\r\n', '\n'))
  return mark + text.replaceAll('\n', lineEnd)
}

/**
 * Inserts lines after the only line that matches, with its indentation.
 *
 * @param anchor with the flags `g` and `m`; its first group is the indentation
 * @returns `undefined` if no line or several lines match
 */
export function insertAfter(
  text: string,
  anchor: RegExp,
  lines: readonly string[],
): string | undefined {
  const [match, ...others] = text.matchAll(anchor)
  if (match === undefined || others.length > 0) return undefined
  const [line, indent = ''] = match
  const end = match.index + line.length
  const inserted = lines.map((each) => `\n${indent}${each}`).join('')
  return text.slice(0, end) + inserted + text.slice(end)
}

/** Appends lines after an empty line. */
export function appendLines(text: string, lines: string): string {
  const start = text.trimEnd()
  return `${start}${start === '' ? '' : '\n'}${lines.trimEnd()}\n`
}
