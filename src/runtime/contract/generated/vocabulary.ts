/**
 * The names of the payload: components, fields and closed lists of values.
 * Generated from `payload.ts` by `npm run generate`.
 */
import type { FieldSpec } from '../field-spec.ts'

/** The values of `type` in a {@link CardChild}. */
export const CARD_CHILD_TYPES = ['text', 'date_time', 'badge', 'button', 'link', 'divider'] as const

/** The values of `type` in a {@link Component}. */
export const COMPONENT_TYPES = ['card', ...CARD_CHILD_TYPES] as const

/** The values of a {@link BadgeColor}. */
export const BADGE_COLORS = ['blue', 'green', 'red', 'orange', 'gray'] as const

/** The color of a badge item. */
export type BadgeColor = (typeof BADGE_COLORS)[number]

/** Each object of the payload and its fields, in the order of the contract's tables. */
export const PAYLOAD_OBJECTS = {
  payload: {
    version: { kind: 'string', required: true },
    header: { kind: 'object', required: true, object: 'header' },
    components: { kind: 'array', required: true, items: 'component' },
  },
  header: {
    title: { kind: 'string', required: false },
    icon_url: { kind: 'icon', required: false },
  },
  card: {
    type: { kind: 'type', required: true },
    header: { kind: 'object', required: false, object: 'header' },
    components: { kind: 'array', required: true, items: 'card_child' },
  },
  text: {
    type: { kind: 'type', required: true },
    label: { kind: 'string', required: true },
    value: { kind: 'string', required: true },
    icon_url: { kind: 'icon', required: false },
  },
  date_time: {
    type: { kind: 'type', required: true },
    label: { kind: 'string', required: true },
    value: { kind: 'date_time', required: true },
    icon_url: { kind: 'icon', required: false },
  },
  badge: {
    type: { kind: 'type', required: true },
    label: { kind: 'string', required: true },
    items: { kind: 'array', required: true, items: 'badge_item' },
  },
  badge_item: {
    value: { kind: 'string', required: true },
    color: { kind: 'enum', required: true, values: BADGE_COLORS },
  },
  button: {
    type: { kind: 'type', required: true },
    label: { kind: 'string', required: true },
    button_type: { kind: 'enum', required: true, values: ['link'] },
    url: { kind: 'link', required: true },
  },
  link: {
    type: { kind: 'type', required: true },
    label: { kind: 'string', required: true },
    url: { kind: 'link', required: true },
  },
  divider: {
    type: { kind: 'type', required: true },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldSpec>>>>

/** The name of an object of the payload. */
export type PayloadObject = keyof typeof PAYLOAD_OBJECTS
