/** What kind of value a field holds. `uri` and `date_time` are strings with a grammar, `enum` one with a list. */
export type FieldKind = 'string' | 'uri' | 'date_time' | 'enum' | 'array' | 'object'

/** One field of a component. */
export interface FieldShape {
  readonly kind: FieldKind
  readonly required: boolean
}

type Shape = Readonly<Record<string, FieldShape>>

const required = (kind: FieldKind): FieldShape => ({ kind, required: true })
const optional = (kind: FieldKind): FieldShape => ({ kind, required: false })

/** The fields of a header, of the payload or of a card. */
export const HEADER_SHAPE: Shape = { title: optional('string'), icon_url: optional('uri') }

/** The fields of an item of a badge. */
export const BADGE_ITEM_SHAPE: Shape = { value: required('string'), color: required('enum') }

/** The fields of the payload. */
export const PAYLOAD_FIELDS: readonly string[] = ['version', 'header', 'components']

/** The contract's table of components, `type` left out. @see docs/contract.md#components */
export const COMPONENT_SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['card', { components: required('array'), header: optional('object') }],
  ['text', { label: required('string'), value: required('string'), icon_url: optional('uri') }],
  [
    'date_time',
    { label: required('string'), value: required('date_time'), icon_url: optional('uri') },
  ],
  ['badge', { label: required('string'), items: required('array') }],
  ['button', { label: required('string'), button_type: required('enum'), url: required('uri') }],
  ['link', { label: required('string'), url: required('uri') }],
  ['divider', {}],
])

/** The types of component of schema 1.0.0. */
export const COMPONENT_TYPES: readonly string[] = [...COMPONENT_SHAPES.keys()]

/** The colours of a badge item. */
export const BADGE_COLORS: readonly string[] = ['blue', 'green', 'red', 'orange', 'gray']
