/**
 * Validates the payload and writes its JSON in the same pass: one function per
 * object. Each reads a field once and writes what it has validated. An object
 * that is not valid is passed to `reportObject()`. Generated from `payload.ts`
 * by `npm run generate`.
 */
import { isDateTime } from '../date-time.ts'
import { reportNotObject, reportObject, reportUnknownType, reportUnreadable } from '../report.ts'
import type { Validation } from '../validation.ts'
import {
  entriesJson,
  type Fields,
  findFields,
  hasAny,
  isObject,
  isOneOf,
  isPlain,
  isUri,
  jsonText,
  listFields,
  objectJson,
} from '../write-values.ts'
import { BADGE_COLORS, COMPONENT_TYPES, CARD_CHILD_TYPES, PAYLOAD_OBJECTS } from './vocabulary.ts'

/** The fields of each object, in the order of the contract's tables. */
const FIELDS = listFields(PAYLOAD_OBJECTS)

/** The payload that an endpoint returns for a data fetch: schema 1.0.0. */
export function writePayload(object: Fields, validation: Validation): string {
  if (!hasAny(object, FIELDS.payload)) return reportObject(validation, 'payload', object, [])
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.payload, 0b111, validation)
  if (own !== -1) {
    const { version, header, components } = object
    if (typeof version === 'string' && isObject(header) && Array.isArray(components))
      return `{"version":"${jsonText(version)}","header":${objectJson(validation, 'header', header, writeHeader)},"components":[${entriesJson(validation, 'components', components, writeComponent)}]}`
  }
  return reportObject(validation, 'payload', object, names, {
    header: writeHeader,
    components: writeComponent,
  })
}

/** The title and icon of a widget or card. */
export function writeHeader(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.header, 0b00, validation)
  if (own > 0 || (own === 0 && isPlain(object))) {
    const title = own & 1 ? object['title'] : undefined
    const icon_url = own & 2 ? object['icon_url'] : undefined
    if (
      (title === undefined || typeof title === 'string') &&
      (icon_url === undefined || isUri(icon_url, validation.iconSchemes))
    )
      return `{${title === undefined ? '' : `"title":"${jsonText(title)}"`}${icon_url === undefined ? '' : `${title === undefined ? '' : ','}"icon_url":"${icon_url}"`}}`
  }
  return reportObject(validation, 'header', object, names)
}

/** A group of related components. */
function writeCard(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.card, 0b101, validation)
  if (own !== -1) {
    const { components } = object
    const header = own & 2 ? object['header'] : undefined
    if ((header === undefined || isObject(header)) && Array.isArray(components))
      return `{"type":"card"${header === undefined ? '' : `,"header":${objectJson(validation, 'header', header, writeHeader)}`},"components":[${entriesJson(validation, 'components', components, writeCardChild)}]}`
  }
  return reportObject(validation, 'card', object, names, {
    header: writeHeader,
    components: writeCardChild,
  })
}

/** A label with text, which may have several lines. */
function writeText(object: Fields, validation: Validation): string {
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
      return `{"type":"text","label":"${jsonText(label)}","value":"${jsonText(value)}"${icon_url === undefined ? '' : `,"icon_url":"${icon_url}"`}}`
  }
  return reportObject(validation, 'text', object, names)
}

/** A label with a date and time. */
function writeDateTime(object: Fields, validation: Validation): string {
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
      return `{"type":"date_time","label":"${jsonText(label)}","value":"${value}"${icon_url === undefined ? '' : `,"icon_url":"${icon_url}"`}}`
  }
  return reportObject(validation, 'date_time', object, names)
}

/** A label with any number of colored items. */
function writeBadge(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.badge, 0b111, validation)
  if (own !== -1) {
    const { label, items } = object
    if (typeof label === 'string' && Array.isArray(items))
      return `{"type":"badge","label":"${jsonText(label)}","items":[${entriesJson(validation, 'items', items, writeBadgeItem)}]}`
  }
  return reportObject(validation, 'badge', object, names, { items: writeBadgeItem })
}

/** One colored item of a badge. */
function writeBadgeItem(object: unknown, validation: Validation): string {
  if (!validation.countItem()) return ''
  if (!isObject(object)) return reportNotObject(validation, 'badge_item', object)
  if (!hasAny(object, FIELDS.badge_item)) return reportObject(validation, 'badge_item', object, [])
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.badge_item, 0b11, validation)
  if (own !== -1) {
    const { value, color } = object
    if (typeof value === 'string' && isOneOf(color, BADGE_COLORS))
      return `{"value":"${jsonText(value)}","color":"${color}"}`
  }
  return reportObject(validation, 'badge_item', object, names)
}

/** A button that opens a URL, for example in an admin dashboard. */
function writeButton(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.button, 0b1111, validation)
  if (own !== -1) {
    const { label, button_type, url } = object
    if (typeof label === 'string' && button_type === 'link' && isUri(url, validation.linkSchemes))
      return `{"type":"button","label":"${jsonText(label)}","button_type":"link","url":"${url}"}`
  }
  return reportObject(validation, 'button', object, names)
}

/** A link. */
function writeLink(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.link, 0b111, validation)
  if (own !== -1) {
    const { label, url } = object
    if (typeof label === 'string' && isUri(url, validation.linkSchemes))
      return `{"type":"link","label":"${jsonText(label)}","url":"${url}"}`
  }
  return reportObject(validation, 'link', object, names)
}

/** A line between components. It has no other fields. */
function writeDivider(object: Fields, validation: Validation): string {
  const names = Object.keys(object)
  const own = findFields(names, FIELDS.divider, 0b1, validation)
  if (own !== -1) {
    return `{"type":"divider"}`
  }
  return reportObject(validation, 'divider', object, names)
}

/** Any component; `type` selects its shape. */
export function writeComponent(component: unknown, validation: Validation): string {
  if (!validation.countComponent()) return ''
  try {
    if (!isObject(component)) return reportNotObject(validation, 'component', component)
    const { type } = component
    switch (type) {
      case 'card':
        return writeCard(component, validation)
      case 'text':
        return writeText(component, validation)
      case 'date_time':
        return writeDateTime(component, validation)
      case 'badge':
        return writeBadge(component, validation)
      case 'button':
        return writeButton(component, validation)
      case 'link':
        return writeLink(component, validation)
      case 'divider':
        return writeDivider(component, validation)
      default:
        return reportUnknownType(validation, component, type, COMPONENT_TYPES)
    }
  } catch {
    return reportUnreadable(validation)
  }
}

/** Any component that a card can contain: all but a card. */
export function writeCardChild(component: unknown, validation: Validation): string {
  if (!validation.countComponent()) return ''
  try {
    if (!isObject(component)) return reportNotObject(validation, 'component', component)
    const { type } = component
    switch (type) {
      case 'text':
        return writeText(component, validation)
      case 'date_time':
        return writeDateTime(component, validation)
      case 'badge':
        return writeBadge(component, validation)
      case 'button':
        return writeButton(component, validation)
      case 'link':
        return writeLink(component, validation)
      case 'divider':
        return writeDivider(component, validation)
      default:
        return reportUnknownType(validation, component, type, CARD_CHILD_TYPES)
    }
  } catch {
    return reportUnreadable(validation)
  }
}
