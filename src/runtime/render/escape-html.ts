const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Matches characters that HTML forbids, and unpaired surrogates, which UTF-8 cannot encode. */
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

/** Replaces the characters that an HTML document cannot contain. */
export function replaceForbidden(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD')
}

/** Undoes the escapes of {@link escapeHtml}. */
export function unescapeHtml(html: string): string {
  // The ampersand is the first character, and the last one to be restored.
  return Object.entries(ESCAPES).reduceRight(
    (text, [character, escape]) => text.replaceAll(escape, character),
    html,
  )
}

/** Escapes untrusted text for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return replaceForbidden(text).replaceAll(
    /[&<>"']/g,
    (character) => ESCAPES[character] ?? character,
  )
}
