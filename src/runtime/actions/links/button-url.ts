/**
 * Until a response is sent, the URL of a button names its action and input. Validation rejects
 * the scheme everywhere else, so data cannot contain such a URL. Caches store it, and never a link.
 */

/** The key of a button's action. As a symbol, it cannot occur in data. */
export const ACTION: unique symbol = Symbol.for('sidecard.action') as never

/** The action of a button, and its input as JSON. */
export interface ButtonTarget {
  readonly name: string
  readonly input: string
}

/** The scheme of a button's URL until its link is created. */
export const ACTION_SCHEME = 'sidecard-action:'

/** Matches the URL of a button in JSON, where quotes inside a string are escaped. */
const BUTTON_URL = new RegExp(`(?<="url":")${ACTION_SCHEME}([^"]+)(?=")`)

/** Returns the URL of a button whose link is created later. */
export function createButtonUrl({ name, input }: ButtonTarget): string {
  return ACTION_SCHEME + encodeURIComponent(`[${JSON.stringify(name)},${input}]`)
}

/** Returns whether JSON contains a button of an action. */
export function hasButtons(json: string): boolean {
  return BUTTON_URL.test(json)
}

/** Splits JSON at the URLs of buttons. Every second part is a URL without its scheme, starting with the second. */
export function splitAtButtons(json: string): readonly string[] {
  return json.split(BUTTON_URL)
}

/** Parses the URL of a button, without its scheme. */
export function parseTarget(part: string): ButtonTarget {
  const [name, input] = JSON.parse(decodeURIComponent(part)) as [string, unknown]
  return { name, input: JSON.stringify(input) }
}

/**
 * Parses JSON with buttons, and restores the actions of the buttons.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseButtons(json: string): unknown {
  if (!hasButtons(json)) return JSON.parse(json)
  return JSON.parse(json, function (this: object, key: string, value: unknown): unknown {
    if (key !== 'url' || typeof value !== 'string' || !value.startsWith(ACTION_SCHEME)) return value
    const target = parseTarget(value.slice(ACTION_SCHEME.length))
    Object.assign(this, { [ACTION]: target })
    return ACTION_SCHEME + target.name
  })
}
