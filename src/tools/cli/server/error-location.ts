import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceLocation } from '../../emulator/protocol/exchanges.ts'

/**
 * Matches locations of several languages: `path:12:3`, `file:///path:12:3`, `"path",
 * line 12` (Python) and `path on line 12` (PHP).
 */
const LOCATION =
  /(file:\/\/\/[^\s:()]+|(?:[A-Za-z]:)?[\w@~./\\-]+\.\w{1,6}):(\d+)(?::(\d+))?|"([^"]+)", line (\d+)|(\S+) on line (\d+)/g

/** Matches a call of Java, which names the class instead of the folder. */
const JAVA_CALL = /\bat ((?:\w+\.)*)\w+\.[\w$<>]+\((\w+\.\w+):(\d+)\)/g
const JAVA_FOLDERS = ['src/main/java', 'src/main/kotlin', 'src', '']

const MISSING_MODULE = /Cannot find (?:module|package) '([^']+)' imported from (\S+)/

/** Finds the place of an error in the lines that report it. */
export function findLocation(block: readonly string[], folder: string): SourceLocation | undefined {
  const missing = findImport(block.join('\n'), folder)
  if (missing !== undefined) return missing
  // Node marks the column below the source line. Python's mark ignores the indentation, so it is
  // not the column.
  const mark = block.find((text) => /^\s*\^+$/.test(text)) ?? '^'
  const found = block.flatMap((text) => [...nameJavaFiles(text, folder).matchAll(LOCATION)])
  const places: SourceLocation[] = []
  for (const [, path = '', row, column, python, pythonRow, php, phpRow] of found) {
    const file = findOwnFile(python ?? php ?? path, folder)
    const marked = python === undefined && php === undefined ? mark.indexOf('^') + 1 : 1
    const line = Number(pythonRow ?? phpRow ?? row)
    if (file !== undefined) places.push({ file, line, column: Number(column ?? marked) })
  }
  const inside = places.filter(({ file }) => !isAbsolute(file))
  // Node prints the innermost call first, and Python last.
  const isPython = block.some((text) => /^\s*File "/.test(text))
  return (inside.length > 0 ? inside : places).at(isPython ? -1 : 0)
}

/** Finds the line that imports a missing module. Node names only its file. */
function findImport(text: string, folder: string): SourceLocation | undefined {
  const [, module, importer] = MISSING_MODULE.exec(text) ?? []
  const file = importer === undefined ? undefined : findOwnFile(importer, folder)
  if (module === undefined || file === undefined) return undefined
  const name = module.split(/[\\/]/).at(-1) ?? module
  const lines = readFileSync(resolve(folder, file), 'utf8').split('\n')
  const index = lines.findIndex((line) => line.includes(name))
  if (index === -1) return undefined
  return { file, line: index + 1, column: (lines[index]?.indexOf(name) ?? 0) + 1 }
}

function nameJavaFiles(text: string, folder: string): string {
  return text.replaceAll(JAVA_CALL, (call: string, pkg: string, name: string, line: string) => {
    const inside = join(...pkg.split('.'), name)
    const root = JAVA_FOLDERS.find((each) => existsSync(join(folder, each, inside)))
    return root === undefined ? call : `at ${join(root, inside)}:${line}`
  })
}

/** Returns the path of an existing file, unless it belongs to a package. */
function findOwnFile(path: string, folder: string): string | undefined {
  if (/(?:^|[\\/])(?:node_modules|\.wrangler|site-packages)[\\/]/.test(path)) return undefined
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
