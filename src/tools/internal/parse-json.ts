import { printParseErrorCode, visit } from 'jsonc-parser'

/** The first JSON error in a text. */
export interface JsonError {
  /** The kind of error, such as `comma expected`. It never quotes the text. */
  readonly kind: string
  readonly offset: number
  readonly length: number
  /** 1-based. */
  readonly line: number
  /** 1-based. */
  readonly column: number
}

/** The value of a JSON text, or its first error. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonError }

/**
 * Parses a JSON text, or finds its first error. The messages of `JSON.parse()` quote the text, and
 * most have no position.
 */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, error: locateError(text) }
  }
}

function locateError(text: string): JsonError {
  let first = { kind: 'not JSON', offset: 0, length: 0, line: 1, column: 1 }
  try {
    visit(
      text,
      {
        onError(code, offset, length, line, column) {
          // `CommaExpected` → `comma expected`
          const words = printParseErrorCode(code).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
          first = { kind: words.toLowerCase(), offset, length, line: line + 1, column: column + 1 }
          throw new Error('stop')
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    )
  } catch {
    // Either the error was found, or the text is nested too deeply for the parser.
  }
  return first
}

/** The path of a value in a JSON text: names of properties and indexes. */
export type JsonPath = readonly PropertyKey[]

/** The lines of the values in a JSON text. */
export interface JsonLines {
  /** Returns the line of a value, or of its nearest known parent. Lines start at 1. */
  readonly lineOf: (path: JsonPath) => number
  /** The first property that occurs twice in its object, or is called `__proto__`. */
  readonly ambiguous: JsonPath | undefined
}

/** Finds the lines of all values in a valid JSON text. */
export function locateJson(text: string): JsonLines {
  const lines = new Map<string, number>()
  let ambiguous: JsonPath | undefined
  const add = (path: JsonPath, line: number) => lines.set(JSON.stringify(path), line + 1)
  visit(text, {
    onObjectProperty(name, _offset, _length, line, _column, parent) {
      const path = [...parent(), name]
      if (name === '__proto__' || lines.has(JSON.stringify(path))) ambiguous ??= path
      add(path, line)
    },
    onLiteralValue(_value, _offset, _length, line, _column, path) {
      add(path(), line)
    },
  })
  return {
    ambiguous,
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const line = lines.get(JSON.stringify(path.slice(0, length)))
        if (line !== undefined) return line
      }
      return 1
    },
  }
}
