/**
 * The links of actions. They differ in every response, so tools compare and save
 * them without their token, and never open one on their own.
 */

/** A JWE with a direct key: its second part is empty. */
const TOKEN = /(\/actions\?t=)eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/

const WHOLE = new RegExp(`${TOKEN.source}$`)

/** Also one that was cut, or that is a part of another URL. */
const EVERY = /((?:\/|%2F)actions(?:\?|%3F)t(?:=|%3D))eyJ[\w.-]+/gi

/** Returns whether a URL is the link of an action. */
export function isActionLink(url: string): boolean {
  return WHOLE.test(url)
}

/** Replaces the tokens of action links in a text by the word `token`. */
export function normalizeActionLinks(text: string): string {
  return text.includes('eyJ') ? text.replaceAll(EVERY, '$1token') : text
}
