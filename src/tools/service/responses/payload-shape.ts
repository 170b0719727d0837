import { isJsonObject, readField } from '../endpoint/json-object.ts'

/**
 * Returns the types and labels of a payload's components, in order. Two payloads
 * of one endpoint can share this shape although their values differ.
 */
export function payloadShape(payload: unknown): string {
  return JSON.stringify(outline(payload, 0))
}

/**
 * Returns the kinds of components of a payload, sorted, whatever their number: the
 * same for two customers of whom one has more orders. Empty without labels.
 */
export function payloadKinds(payload: unknown): string {
  const kinds = new Set<string>()
  const add = (value: unknown, depth: number) => {
    if (!isJsonObject(value) || depth > 2) return
    const label = readField(value, 'label')
    if (typeof label === 'string') kinds.add(JSON.stringify([readField(value, 'type'), label]))
    const components = readField(value, 'components')
    if (Array.isArray(components)) components.slice(0, 200).forEach((each) => add(each, depth + 1))
  }
  add(payload, 0)
  return [...kinds].toSorted().join()
}

function outline(value: unknown, depth: number): unknown {
  if (!isJsonObject(value) || depth > 2) return null
  const components = readField(value, 'components')
  const children = Array.isArray(components) ? components : []
  return [
    readField(value, 'type') ?? null,
    readField(value, 'label') ?? null,
    children.slice(0, 200).map((child) => outline(child, depth + 1)),
  ]
}
