import { readFileSync, statSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from './package-folder.ts'
import type { SourceLocation } from '../protocol/exchanges.ts'
import { isInside } from './is-inside.ts'

/** Maps the stack of an error to the source files. */
export type MapStack = ReturnType<typeof createStackMapper>

const FRAME = /^(\s+at (?:.*? \()?)((?:file:\/\/)?[^\s()]+?):(\d+):(\d+)(\)?)$/
const MAX_MAP_BYTES = 32 * 1_048_576

/** Matches frames of packages and of the bundler. */
const FOREIGN = /(?:^|[\\/])(?:node_modules|\.wrangler)[\\/]|^(?:node|cloudflare|workerd):/

/** The folder of Sidecard itself, if it runs from its own repository. */
const OWN_PACKAGE = ['src', 'dist'].map((name) => fileURLToPath(packageFile(`${name}/`)))

/**
 * Creates a function that maps stacks. A bundle is mapped with the source map
 * next to it, such as wrangler's. Only files inside `directory` are read, because
 * the endpoint controls the paths in its stack.
 */
export function createStackMapper(directory: string | undefined) {
  const maps = new Map<string, { readonly mtimeMs: number; readonly map: SourceMap }>()

  function findMap(file: string): SourceMap | undefined {
    const path = `${file}.map`
    if (directory === undefined || !isInside(path, directory)) return undefined
    try {
      const { mtimeMs, size } = statSync(path)
      if (size > MAX_MAP_BYTES) return undefined
      const known = maps.get(path)
      if (known?.mtimeMs === mtimeMs) return known.map
      const map = new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
      maps.set(path, { mtimeMs, map })
      return map
    } catch {
      // Without a readable source map, the frame stays unchanged.
      return undefined
    }
  }

  function toSource(file: string, line: number, column: number) {
    const entry = findMap(file)?.findEntry(line - 1, column - 1)
    if (entry === undefined || !('originalSource' in entry)) return { file, line, column }
    const { originalSource, originalLine, originalColumn } = entry
    const source = originalSource.startsWith('file:')
      ? toPath(originalSource)
      : resolve(dirname(file), originalSource)
    return { file: source, line: originalLine + 1, column: originalColumn + 1 }
  }

  /** Returns the stack with locations in the source files, and the first frame of the user's own code. */
  return (stack: string) => {
    let location: SourceLocation | null = null
    const lines = stack.split('\n').map((text) => {
      const [, before = '', file, line, column, after = ''] = FRAME.exec(text) ?? []
      if (file === undefined) return text
      const place = toSource(findFile(file, directory), Number(line), Number(column))
      const shown = { ...place, file: shorten(place.file, directory) }
      const isOwnPackage = OWN_PACKAGE.some((folder) => place.file.startsWith(folder))
      if (!FOREIGN.test(shown.file) && !isOwnPackage) location ??= shown
      return `${before}${shown.file}:${shown.line}:${shown.column}${after}`
    })
    return { stack: lines.join('\n'), location }
  }
}

function findFile(file: string, directory: string | undefined): string {
  const path = file.startsWith('file:') ? toPath(file) : file
  if (isAbsolute(path) || directory === undefined || /^\w+:/.test(path)) return path
  return join(directory, path)
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

function shorten(path: string, directory: string | undefined): string {
  return directory !== undefined && isInside(path, directory) ? relative(directory, path) : path
}
