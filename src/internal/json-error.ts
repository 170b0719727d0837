import { printParseErrorCode, visit } from 'jsonc-parser'

/** The first JSON error in a text. */
export interface JsonError {
  /** The kind of error, such as `comma expected`. It never quotes the text. */
  readonly error: string
  readonly offset: number
  readonly length: number
  /** 1-based. */
  readonly line: number
  /** 1-based. */
  readonly column: number
}

/**
 * Finds the first JSON error in a text. The messages of `JSON.parse()` quote the
 * text, and most have no position.
 */
export function findJsonError(text: string): JsonError | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return locateError(text)
  }
}

function locateError(text: string): JsonError {
  let first = { error: 'not JSON', offset: 0, length: 0, line: 1, column: 1 }
  try {
    visit(
      text,
      {
        onError(code, offset, length, line, column) {
          // `CommaExpected` → `comma expected`
          const words = printParseErrorCode(code).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
          first = { error: words.toLowerCase(), offset, length, line: line + 1, column: column + 1 }
          throw new Error('The first error is enough.')
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    )
  } catch {
    // Either the error was found, or the text is nested too deeply for the parser.
  }
  return first
}
