/** A JSON object with unknown fields. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object, but not an array or `null`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own field, so that inherited names such as `constructor` are not found. */
export function readField(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Names the kind of a JSON value, for a sentence: `null`, `an array`, `a number`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`
}
