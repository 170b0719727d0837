import { closest } from '../../internal/closest.ts'
import { printable, quoted } from '../../internal/printable.ts'
import { describe } from '../verify.ts'
import { field, isJsonObject } from './payload-walk.ts'
import type { PayloadNode } from './payload-walk.ts'
import type { PayloadRule } from './payload.ts'
import { shapedFields } from './shaped-fields.ts'
import { BADGE_COLORS, COMPONENT_TYPES } from './shapes.ts'

const ANCHOR = 'components'

const componentObject: PayloadRule = {
  id: 'component-object',
  group: 'components',
  level: 'MUST',
  title: 'Every component is an object',
  contract: {
    says: 'Every component has a `type` field that selects its shape.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: 'Put objects into components; leave out what is absent instead of writing null.',
  why: 'A `null` in the list is the usual trace of a component that was made conditionally.',
  judge(node) {
    if (node.kind !== 'component' || isJsonObject(node.value)) return undefined
    return { path: node.path, message: `the component is ${describe(node.value)}, not an object` }
  },
}

const componentType: PayloadRule = {
  id: 'component-type',
  group: 'components',
  level: 'MUST',
  title: 'Every component has a type that the service knows',
  contract: {
    says: 'A `type` that is not recognized makes the custom app render an error state.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: `Use one of ${COMPONENT_TYPES.join(', ')}.`,
  why: 'One unknown type costs the agent the whole widget, also when it stands inside a card.',
  judge(node) {
    if (node.kind !== 'component' || !isJsonObject(node.value)) return undefined
    const path = `${node.path}.type`
    const type = field(node.value, 'type')
    if (type === undefined) return { path, message: 'the component has no type' }
    if (typeof type !== 'string') return { path, message: `the type is ${describe(type)}` }
    if (COMPONENT_TYPES.includes(type)) return undefined
    const meant = closest(type, COMPONENT_TYPES)
    return {
      path,
      message: `the type ${quoted(type, 40)} is not recognized`,
      ...(meant !== undefined && { fix: `Did you mean "${meant}"?` }),
    }
  },
}

const cardNested: PayloadRule = {
  id: 'card-nested',
  group: 'components',
  level: 'MUST',
  title: 'A card holds no card',
  contract: {
    says: '`components` of a card may hold any component type except `card`.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: 'Put the inner card beside the outer one; several cards may be returned.',
  why: 'Cards group related data one level deep. A divider separates groups inside a card.',
  judge(node) {
    if (node.kind !== 'component' || !node.inCard || typeOf(node) !== 'card') return undefined
    return { path: node.path, message: 'a card stands inside a card' }
  },
}

const fieldRequired: PayloadRule = {
  id: 'field-required',
  group: 'components',
  level: 'MUST',
  title: 'Every component has its required fields',
  contract: {
    says: 'The table of components marks its required fields; an item of a badge has `value` and `color`.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: 'Add the field.',
  why: 'A field whose value is `undefined` disappears when a program writes JSON, so a missing value becomes a missing field.',
  judge(node) {
    const missing = shapedFields(node).filter(({ shape, present }) => shape.required && !present)
    const [first] = missing
    if (first === undefined || !isJsonObject(node.value)) return undefined
    const others = Object.keys(node.value).filter(
      (name) => closest(name, [first.name]) !== undefined,
    )
    const known = shapedFields(node).map(({ name }) => name)
    const misspelt = others.find((name) => !known.includes(name) && name !== 'type')
    return {
      path: `${node.path}.${first.name}`,
      message: `missing: ${missing.map(({ name }) => name).join(', ')}`,
      ...(misspelt !== undefined && { fix: `Rename ${quoted(misspelt, 40)} to ${first.name}.` }),
    }
  },
}

const fieldType: PayloadRule = {
  id: 'field-type',
  group: 'components',
  level: 'MUST',
  title: 'Every field holds the kind of value that the contract gives it',
  contract: {
    says: 'The tables give each field a type: strings, arrays of objects, an object for a header.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: 'Convert the value to the kind that the table names; leave an absent optional field out instead of writing null.',
  why: 'Numbers and booleans are the usual case: a count must be written as "42", not 42. `null` is not a string.',
  judge(node) {
    if (node.kind === 'badge_item' && !isJsonObject(node.value)) {
      return { path: node.path, message: `the item is ${describe(node.value)}, not an object` }
    }
    for (const { name, shape, present, value } of shapedFields(node)) {
      if (!present || isOfKind(value, shape.kind)) continue
      const wanted =
        shape.kind === 'array' ? 'an array' : shape.kind === 'object' ? 'an object' : 'a string'
      return {
        path: `${node.path}.${name}`,
        message: `${name} is ${describe(value)}, not ${wanted}`,
      }
    }
    return undefined
  },
}

const badgeColor: PayloadRule = {
  id: 'badge-color',
  group: 'components',
  level: 'MUST',
  title: 'A badge item has one of the five colours',
  contract: {
    says: '`color` is one of `blue`, `green`, `red`, `orange`, `gray`.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: `Use one of ${BADGE_COLORS.join(', ')}.`,
  why: 'The spelling is American and in lower case: `grey` and `Green` are not in the list.',
  judge(node) {
    if (node.kind !== 'badge_item' || !isJsonObject(node.value)) return undefined
    const color = field(node.value, 'color')
    if (typeof color !== 'string' || BADGE_COLORS.includes(color)) return undefined
    const meant = closest(color, BADGE_COLORS)
    return {
      path: `${node.path}.color`,
      message: `${quoted(color, 40)} is not a colour of the contract`,
      ...(meant !== undefined && { fix: `Did you mean "${meant}"?` }),
    }
  },
}

const buttonType: PayloadRule = {
  id: 'button-type',
  group: 'components',
  level: 'MUST',
  title: 'The button_type of a button is link',
  contract: {
    says: '`button_type` has one value: `link`.',
    anchor: ANCHOR,
    basis: 'words',
  },
  fix: 'Write "button_type": "link".',
  why: 'A button opens a link and does nothing else: there is no `submit` and no `action`.',
  judge(node) {
    if (node.kind !== 'component' || typeOf(node) !== 'button') return undefined
    if (!isJsonObject(node.value)) return undefined
    const value = field(node.value, 'button_type')
    if (typeof value !== 'string' || value === 'link') return undefined
    return { path: `${node.path}.button_type`, message: `the button_type is ${quoted(value, 40)}` }
  },
}

const dividerFields: PayloadRule = {
  id: 'divider-fields',
  group: 'components',
  level: 'MUST',
  title: 'A divider has no field but type',
  contract: { says: '`divider`: `type`. No other fields.', anchor: ANCHOR, basis: 'words' },
  fix: 'Write { "type": "divider" } and nothing else; use a text component for a caption.',
  why: 'This is the one component for which the contract rules other fields out in words.',
  judge(node) {
    if (node.kind !== 'component' || typeOf(node) !== 'divider') return undefined
    const extra = Object.keys(node.value as object).filter((name) => name !== 'type')
    const [first] = extra
    if (first === undefined) return undefined
    const names = extra.slice(0, 5).map((name) => quoted(name, 40))
    return {
      path: `${node.path}.${printable(first, 40)}`,
      message: `the divider also has ${names.join(', ')}`,
    }
  },
}

function typeOf(node: PayloadNode): unknown {
  return isJsonObject(node.value) ? field(node.value, 'type') : undefined
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'object') return isJsonObject(value)
  return typeof value === 'string'
}

/** The rules of components and their fields. @see docs/checks/README.md#components */
export const componentRules: readonly PayloadRule[] = [
  componentObject,
  componentType,
  cardNested,
  fieldRequired,
  fieldType,
  badgeColor,
  buttonType,
  dividerFields,
]
