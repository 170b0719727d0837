/** Decodes the percent-encoding of a text, such as a part of a URL. Returns a malformed one unchanged. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
