import { isJsonObject, readField } from '../../service/endpoint/json-object.ts'

/**
 * Returns the types and labels of a payload's components, in order. Two payloads
 * of one endpoint can share this shape although their values differ.
 */
export function payloadShape(payload: unknown): string {
  return JSON.stringify(outline(payload, 0))
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
