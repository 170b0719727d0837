/**
 * Copies a string into its own memory. A sliced or concatenated string can keep a
 * much larger string in memory than its length shows.
 */
export function flatString(text: string): string {
  // UTF-8 cannot encode an unpaired surrogate. JSON escapes it, so that parsing creates a new
  // string.
  return text.isWellFormed()
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))
    : JSON.parse(JSON.stringify(text))
}
