/** The first sentence of a text; all of it where none ends. */
export function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}
