/** Reads a property of any value; `undefined` if a getter or a proxy throws. */
export function readProperty(value: unknown, name: PropertyKey): unknown {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[name]
  } catch {
    return undefined
  }
}
