/**
 * The links of actions. They differ in every response, so tools compare and save
 * them without the token, and never open a link by themselves.
 */

/** Matches a JWE with a direct key, whose second part is empty. */
const TOKEN = /(\/actions\?t=)eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/

const WHOLE = new RegExp(`${TOKEN.source}$`)

/** Also matches tokens that were truncated, or that are part of another URL. */
const EVERY = /((?:\/|%2F)actions(?:\?|%3F)t(?:=|%3D))eyJ[\w.-]+/gi

/** Returns whether a URL is the link of an action. */
export function isActionLink(url: string): boolean {
  return WHOLE.test(url)
}

/** Replaces the tokens of action links in a text with the word `token`. */
export function normalizeActionLinks(text: string): string {
  return text.includes('eyJ') ? text.replaceAll(EVERY, '$1token') : text
}
