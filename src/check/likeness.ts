import { field, isJsonObject } from '../desk/rules/payload-walk.ts'

/**
 * What two payloads of the same endpoint have in common though their values
 * differ: the types and labels of their components, in order.
 */
export function likeness(payload: unknown): string {
  return JSON.stringify(outline(payload, 0))
}

function outline(value: unknown, depth: number): unknown {
  if (!isJsonObject(value) || depth > 2) return null
  const components = field(value, 'components')
  const children = Array.isArray(components) ? components : []
  return [
    field(value, 'type') ?? null,
    field(value, 'label') ?? null,
    children.slice(0, 200).map((child) => outline(child, depth + 1)),
  ]
}
