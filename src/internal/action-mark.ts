/**
 * The marks of actions in JSON that is not a response yet. The encoder escapes
 * every control character, so a raw one in its JSON marks the place of a link,
 * and no text can contain it. Caches keep marks, and never links.
 */

/** The key under which a button holds its action. No data can have it. */
export const ACTION: unique symbol = Symbol.for('sidecard.action') as never

/** The action of a button, and its input as JSON. */
export interface ActionMark {
  readonly name: string
  readonly input: string
}

/** The scheme of a button's URL until its link is made. Validation rejects it. */
export const ACTION_SCHEME = 'sidecard-action:'

/** A control character, which JSON escapes in a string. */
const LIMIT = '\u0001'

/** Returns what the encoder writes in the place of a link. */
export function writeMark({ name, input }: ActionMark): string {
  return `${LIMIT}[${JSON.stringify(name)},${input}]${LIMIT}`
}

/** Splits JSON at its marks: every second part, from the second one, is a mark. */
export function splitMarks(json: string): readonly string[] {
  return json.split(LIMIT)
}

/** Parses a mark. */
export function parseMark(part: string): ActionMark {
  const [name, input] = JSON.parse(part) as [string, unknown]
  return { name, input: JSON.stringify(input) }
}

/**
 * Parses JSON with marks. The buttons have their actions again. Until then, their
 * URLs are random, so that no text of the JSON can be one.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseMarked(json: string): unknown {
  const parts = splitMarks(json)
  if (parts.length === 1) return JSON.parse(json)
  const marks = new Map<string, ActionMark>()
  const text = parts.map((part, index) => {
    if (index % 2 === 0) return part
    const place = crypto.randomUUID()
    marks.set(place, parseMark(part))
    return place
  })
  return JSON.parse(text.join(''), function (this: object, key: string, value: unknown): unknown {
    const mark = key === 'url' ? marks.get(value as string) : undefined
    if (mark === undefined) return value
    Object.assign(this, { [ACTION]: mark })
    return ACTION_SCHEME + mark.name
  })
}
