/**
 * The marks of actions. Until a response is sent, the URL of a button names its
 * action and input. Validation rejects this scheme in every other component, so
 * no data can be a mark. Caches keep marks, and never links.
 */

/** The key under which a button holds its action. No data can have it. */
export const ACTION: unique symbol = Symbol.for('sidecard.action') as never

/** The action of a button, and its input as JSON. */
export interface ActionMark {
  readonly name: string
  readonly input: string
}

/** The scheme of a button's URL until its link is made. */
export const ACTION_SCHEME = 'sidecard-action:'

/** A text in JSON cannot contain a quote that is not escaped. */
const MARK = new RegExp(`(?<="url":")${ACTION_SCHEME}([^"]+)(?=")`)

/** Returns the URL of a button whose link is made later. */
export function createMarkUrl({ name, input }: ActionMark): string {
  return ACTION_SCHEME + encodeURIComponent(`[${JSON.stringify(name)},${input}]`)
}

/** Splits JSON at its marks: every second part, from the second one, is a mark. */
export function splitMarks(json: string): readonly string[] {
  return json.split(MARK)
}

/** Parses a mark. */
export function parseMark(part: string): ActionMark {
  const [name, input] = JSON.parse(decodeURIComponent(part)) as [string, unknown]
  return { name, input: JSON.stringify(input) }
}

/**
 * Parses JSON with marks. The buttons have their actions again.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseMarked(json: string): unknown {
  if (!MARK.test(json)) return JSON.parse(json)
  return JSON.parse(json, function (this: object, key: string, value: unknown): unknown {
    if (key !== 'url' || typeof value !== 'string' || !value.startsWith(ACTION_SCHEME)) return value
    const mark = parseMark(value.slice(ACTION_SCHEME.length))
    Object.assign(this, { [ACTION]: mark })
    return ACTION_SCHEME + mark.name
  })
}
