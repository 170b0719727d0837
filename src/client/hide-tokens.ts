const HIDDEN = '[hidden]'

/** A shorter token is part of too many words, and is hidden where it stands alone. */
const SHORT = 6

/**
 * Replaces access tokens in what the API said, however it spells them: as they
 * are, percent-encoded, or escaped as JSON writers do (`\/`, `\u002b`).
 */
export function hideTokens(tokens: Iterable<string>, text: string): string {
  let shown = text
  for (const token of tokens) shown = shown.replace(anySpelling(token), HIDDEN)
  return shown
}

function anySpelling(token: string): RegExp {
  const characters = Array.from(token, (character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0')
    const inAnyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
    const literal = character.replace(/[^A-Za-z0-9]/, String.raw`\$&`)
    return String.raw`(?:\\?${literal}|\\u00${inAnyCase}|%${inAnyCase})`
  }).join('')
  const alone = String.raw`(?<![A-Za-z0-9])${characters}(?![A-Za-z0-9])`
  return new RegExp(token.length < SHORT ? alone : characters, 'g')
}
