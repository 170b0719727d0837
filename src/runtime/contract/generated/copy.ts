/**
 * Validates the payload and copies it in the same pass: one function per object.
 * Each reads a field once and copies what it has validated, in the order of the
 * contract's tables. An object that is not valid is passed to `reportObject()`.
 * Generated from `payload.ts` by `npm run generate`.
 */
import { isDateTime } from '../date-time.ts'
import { reportNotObject, reportObject, reportUnknownType, reportUnreadable } from '../report.ts'
import type { Validation } from '../validation.ts'
import {
  copyEntries,
  copyObject,
  discard,
  type Fields,
  findFields,
  hasAny,
  isObject,
  isOneOf,
  isPlain,
  isUri,
  listFields,
} from '../copy-values.ts'
import type * as types from './types.ts'
import { BADGE_COLORS, COMPONENT_TYPES, CARD_CHILD_TYPES, PAYLOAD_OBJECTS } from './vocabulary.ts'

/** The fields of each object, in the order of the contract's tables. */
const FIELDS = listFields(PAYLOAD_OBJECTS)

/** The payload that an endpoint returns for a data fetch: schema 1.0.0. */
export function copyPayload(object: Fields, validation: Validation): types.Payload | undefined {
  if (!hasAny(object, FIELDS.payload)) return reportObject(validation, 'payload', object, [])
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.payload, 0b111, validation)
  if (own !== -1) {
    const { version, header, components } = object
    if (typeof version === 'string' && isObject(header) && Array.isArray(components))
      return {
        version,
        header: copyObject(validation, 'header', header, copyHeader),
        components: copyEntries(validation, 'components', components, copyComponent),
      }
    discard(version, header, components)
  }
  return reportObject(validation, 'payload', object, names, {
    header: copyHeader,
    components: copyComponent,
  })
}

/** The title and icon of a widget or card. */
export function copyHeader(object: Fields, validation: Validation): types.Header | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.header, 0b00, validation)
  if (own > 0 || (own === 0 && isPlain(object))) {
    const title = own & 1 ? object['title'] : undefined
    const icon_url = own & 2 ? object['icon_url'] : undefined
    if (
      (title === undefined || typeof title === 'string') &&
      (icon_url === undefined || isUri(icon_url, validation.iconSchemes))
    ) {
      const built: types.Header = {}
      if (title !== undefined) built.title = title
      if (icon_url !== undefined) built.icon_url = icon_url
      return built
    }
    discard(title, icon_url)
  }
  return reportObject(validation, 'header', object, names)
}

/** A group of related components. */
function copyCard(object: Fields, validation: Validation): types.Card | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.card, 0b101, validation)
  if (own !== -1) {
    const { components } = object
    const header = own & 2 ? object['header'] : undefined
    if ((header === undefined || isObject(header)) && Array.isArray(components)) {
      const built: Partial<types.Card> = { type: 'card' }
      if (header !== undefined) built.header = copyObject(validation, 'header', header, copyHeader)
      built.components = copyEntries(validation, 'components', components, copyCardChild)
      return built as types.Card
    }
    discard(header, components)
  }
  return reportObject(validation, 'card', object, names, {
    header: copyHeader,
    components: copyCardChild,
  })
}

/** A label with text, which may have several lines. */
function copyText(object: Fields, validation: Validation): types.Text | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.text, 0b0111, validation)
  if (own !== -1) {
    const { label, value } = object
    const icon_url = own & 8 ? object['icon_url'] : undefined
    if (
      typeof label === 'string' &&
      typeof value === 'string' &&
      (icon_url === undefined || isUri(icon_url, validation.iconSchemes))
    )
      return icon_url === undefined
        ? { type: 'text', label, value }
        : { type: 'text', label, value, icon_url }
    discard(label, value, icon_url)
  }
  return reportObject(validation, 'text', object, names)
}

/** A label with a date and time. */
function copyDateTime(object: Fields, validation: Validation): types.DateTime | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.date_time, 0b0111, validation)
  if (own !== -1) {
    const { label, value } = object
    const icon_url = own & 8 ? object['icon_url'] : undefined
    if (
      typeof label === 'string' &&
      typeof value === 'string' &&
      isDateTime(value) &&
      (icon_url === undefined || isUri(icon_url, validation.iconSchemes))
    )
      return icon_url === undefined
        ? { type: 'date_time', label, value }
        : { type: 'date_time', label, value, icon_url }
    discard(label, value, icon_url)
  }
  return reportObject(validation, 'date_time', object, names)
}

/** A label with any number of colored items. */
function copyBadge(object: Fields, validation: Validation): types.Badge | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.badge, 0b111, validation)
  if (own !== -1) {
    const { label, items } = object
    if (typeof label === 'string' && Array.isArray(items))
      return { type: 'badge', label, items: copyEntries(validation, 'items', items, copyBadgeItem) }
    discard(label, items)
  }
  return reportObject(validation, 'badge', object, names, { items: copyBadgeItem })
}

/** One colored item of a badge. */
function copyBadgeItem(object: unknown, validation: Validation): types.BadgeItem | undefined {
  if (!validation.countItem()) return undefined
  if (!isObject(object)) return reportNotObject(validation, 'badge_item', object)
  if (!hasAny(object, FIELDS.badge_item)) return reportObject(validation, 'badge_item', object, [])
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.badge_item, 0b11, validation)
  if (own !== -1) {
    const { value, color } = object
    if (typeof value === 'string' && isOneOf(color, BADGE_COLORS)) return { value, color }
    discard(value, color)
  }
  return reportObject(validation, 'badge_item', object, names)
}

/** A button that opens a URL, for example in an admin dashboard. */
function copyButton(object: Fields, validation: Validation): types.Button | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.button, 0b1111, validation)
  if (own !== -1) {
    const { label, button_type, url } = object
    if (typeof label === 'string' && button_type === 'link' && isUri(url, validation.linkSchemes))
      return { type: 'button', label, button_type, url }
    discard(label, button_type, url)
  }
  return reportObject(validation, 'button', object, names)
}

/** A link. */
function copyLink(object: Fields, validation: Validation): types.Link | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.link, 0b111, validation)
  if (own !== -1) {
    const { label, url } = object
    if (typeof label === 'string' && isUri(url, validation.linkSchemes))
      return { type: 'link', label, url }
    discard(label, url)
  }
  return reportObject(validation, 'link', object, names)
}

/** A line between components. It has no other fields. */
function copyDivider(object: Fields, validation: Validation): types.Divider | undefined {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.divider, 0b1, validation)
  if (own !== -1) return { type: 'divider' }
  return reportObject(validation, 'divider', object, names)
}

/** Any component; `type` selects its shape. */
export function copyComponent(
  component: unknown,
  validation: Validation,
): types.Component | undefined {
  return copyAllowed(component, validation, COMPONENT_TYPES)
}

/** Any component that a card can contain: all but a card. */
export function copyCardChild(
  component: unknown,
  validation: Validation,
): types.CardChild | undefined {
  return copyAllowed(component, validation, CARD_CHILD_TYPES) as types.CardChild | undefined
}

/** A component of one of the types. */
function copyAllowed(
  component: unknown,
  validation: Validation,
  allowed: readonly string[],
): types.Component | types.CardChild | undefined {
  if (!validation.countComponent()) return undefined
  try {
    if (!isObject(component)) return reportNotObject(validation, 'component', component)
    const { type } = component
    switch (type) {
      case 'card':
        if (allowed.includes(type)) return copyCard(component, validation)
        break
      case 'text':
        return copyText(component, validation)
      case 'date_time':
        return copyDateTime(component, validation)
      case 'badge':
        return copyBadge(component, validation)
      case 'button':
        return copyButton(component, validation)
      case 'link':
        return copyLink(component, validation)
      case 'divider':
        return copyDivider(component, validation)
    }
    return reportUnknownType(validation, component, type, allowed)
  } catch {
    return reportUnreadable(validation)
  }
}
