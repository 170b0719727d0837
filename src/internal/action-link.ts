/**
 * The links of actions. They differ in every response, so tools compare and save
 * them without their token, and never open one on their own.
 */

/** A JWE with a direct key: its second part is empty. */
const TOKEN = /(\/actions\?t=)eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/

const WHOLE = new RegExp(`${TOKEN.source}$`)
const EVERY = new RegExp(TOKEN.source, 'g')

/** Returns whether a URL is the link of an action. */
export function isActionLink(url: string): boolean {
  return WHOLE.test(url)
}

/** Replaces the tokens of action links in a text by the word `token`. */
export function normalizeActionLinks(text: string): string {
  return text.includes('/actions?t=') ? text.replaceAll(EVERY, '$1token') : text
}
