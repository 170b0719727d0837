/** The position of the first JSON error in a text. */
export interface JsonError {
  /** 1-based. */
  readonly line: number
  /** 1-based. */
  readonly column: number
  /** The token that JSON requires there. */
  readonly expected: string
}

const WHITESPACE = /[ \t\r\n]*/y
// oxlint-disable-next-line no-control-regex -- control characters are invalid in strings
const STRING = /"(?:[^"\\\u0000-\u001F]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type State = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'after value'

/**
 * Finds the first JSON error in a text. The messages of `JSON.parse()` quote the
 * text, and most have no position.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: Array<'{' | '['> = []
  let state: State = 'value'
  let offset = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset
    const [match] = pattern.exec(text) ?? []
    if (match === undefined) return false
    offset += match.length
    return true
  }
  const close = (): void => {
    offset += 1
    open.pop()
    state = 'after value'
  }

  for (;;) {
    take(WHITESPACE)
    const character = text[offset]
    const container = open.at(-1)
    if (state === 'after value') {
      if (container === undefined) return offset === text.length ? undefined : fail('the end')
      if (character === ',') {
        offset += 1
        state = container === '{' ? 'key' : 'value'
      } else if (character === (container === '{' ? '}' : ']')) close()
      else return fail(container === '{' ? '"," or "}"' : '"," or "]"')
    } else if (state === ':') {
      if (character !== ':') return fail('":"')
      offset += 1
      state = 'value'
    } else if (state === 'key' || state === 'key or }') {
      if (character === '}' && state === 'key or }') close()
      else if (take(STRING)) state = ':'
      else return fail('a name in double quotes')
    } else if (character === ']' && state === 'value or ]') close()
    else if (character === '{' || character === '[') {
      offset += 1
      open.push(character)
      state = character === '{' ? 'key or }' : 'value or ]'
    } else if (take(STRING) || take(SCALAR)) state = 'after value'
    else return fail('a value')
  }

  function fail(expected: string): JsonError {
    const lines = text.slice(0, offset).split('\n')
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, expected }
  }
}
