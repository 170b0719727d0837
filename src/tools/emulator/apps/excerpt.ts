import { unescapeHtml } from '../../../runtime/render/escape-html.ts'

const MAX_LENGTH = 140

/** Returns the beginning of a message as plain text, for a list. It is not safe as HTML. */
export function createExcerpt(html: string): string {
  const plain = html
    .replaceAll(/<(script|style)\b[^]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&nbsp;', ' ')
  const text = unescapeHtml(plain).replaceAll(/\s+/g, ' ').trim()
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text
}
