const MAX_LENGTH = 1_048_576
const MAX_INDENT = 40
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Formats JSON with line breaks and indents. Tokens are not parsed, so that large
 * numbers keep their digits. Other text is returned unchanged.
 */
export function prettyJson(text: string): string {
  if (text.length > MAX_LENGTH || !isJson(text)) return text
  const parts: string[] = []
  let depth = 0
  let previous = ''
  // Deeper levels share an indent, because the output of nested brackets would grow quadratically.
  const newLine = () => `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`
  for (const [token] of text.matchAll(TOKENS)) {
    const opensEmpty = previous === '{' || previous === '['
    if (token === '}' || token === ']') {
      depth -= 1
      if (!opensEmpty) parts.push(newLine())
    } else if (opensEmpty || previous === ',') {
      parts.push(newLine())
    }
    parts.push(token === ':' ? ': ' : token)
    if (token === '{' || token === '[') depth += 1
    previous = token
  }
  return parts.join('')
}

/** Returns whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
