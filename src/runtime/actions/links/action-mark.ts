/**
 * The marks of actions. Until a response is sent, the URL of a button is a mark,
 * which names its action and input. Validation rejects the scheme of marks
 * everywhere else, so no data can be a mark. Caches store marks, and never links.
 */

/** The key of a button's action. As a symbol, it cannot occur in data. */
export const ACTION: unique symbol = Symbol.for('sidecard.action') as never

/** The action of a button, and its input as JSON. */
export interface ActionMark {
  readonly name: string
  readonly input: string
}

/** The scheme of a button's URL until its link is created. */
export const ACTION_SCHEME = 'sidecard-action:'

/** Matches a mark in JSON, where quotes inside a string are escaped. */
const MARK = new RegExp(`(?<="url":")${ACTION_SCHEME}([^"]+)(?=")`)

/** Returns the URL of a button whose link is created later. */
export function createMarkUrl({ name, input }: ActionMark): string {
  return ACTION_SCHEME + encodeURIComponent(`[${JSON.stringify(name)},${input}]`)
}

/** Returns whether JSON contains a mark. */
export function hasMarks(json: string): boolean {
  return MARK.test(json)
}

/** Splits JSON at its marks. Every second part is a mark, starting with the second. */
export function splitMarks(json: string): readonly string[] {
  return json.split(MARK)
}

/** Parses a mark. */
export function parseMark(part: string): ActionMark {
  const [name, input] = JSON.parse(decodeURIComponent(part)) as [string, unknown]
  return { name, input: JSON.stringify(input) }
}

/**
 * Parses JSON with marks, and restores the actions of the buttons.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseMarked(json: string): unknown {
  if (!hasMarks(json)) return JSON.parse(json)
  return JSON.parse(json, function (this: object, key: string, value: unknown): unknown {
    if (key !== 'url' || typeof value !== 'string' || !value.startsWith(ACTION_SCHEME)) return value
    const mark = parseMark(value.slice(ACTION_SCHEME.length))
    Object.assign(this, { [ACTION]: mark })
    return ACTION_SCHEME + mark.name
  })
}
