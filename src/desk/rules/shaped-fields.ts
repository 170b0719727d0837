import { field, isJsonObject } from './payload-walk.ts'
import type { PayloadNode } from './payload-walk.ts'
import { BADGE_ITEM_SHAPE, COMPONENT_SHAPES, HEADER_SHAPE } from './shapes.ts'
import type { FieldShape } from './shapes.ts'

/** A field that the contract gives a place, with what is there. */
export interface ShapedField {
  readonly name: string
  readonly shape: FieldShape
  readonly present: boolean
  readonly value: unknown
}

/** The contract's fields of a place; none where its shape is unknown or forbidden. */
export function shapedFields(node: PayloadNode): readonly ShapedField[] {
  const { value } = node
  if (!isJsonObject(value)) return []
  const shape = shapeOf(node)
  if (shape === undefined) return []
  return Object.entries(shape).map(([name, fieldShape]) => ({
    name,
    shape: fieldShape,
    present: Object.hasOwn(value, name),
    value: field(value, name),
  }))
}

function shapeOf(node: PayloadNode): Readonly<Record<string, FieldShape>> | undefined {
  if (node.kind === 'header') return HEADER_SHAPE
  if (node.kind === 'badge_item') return BADGE_ITEM_SHAPE
  if (node.kind !== 'component' || !isJsonObject(node.value)) return undefined
  const type = field(node.value, 'type')
  // A card in a card is one fault, however many others it holds.
  if (typeof type !== 'string' || (type === 'card' && node.inCard)) return undefined
  return COMPONENT_SHAPES.get(type)
}
