/** Returns the first sentence of a text, or all of it if no sentence ends. */
export function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s|$)/.exec(text)?.[0] ?? text
}
