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
