/**
 * Checks the fields of a builder and copies them, in the order of the contract's
 * tables: one function per object. Each reads a field once, and returns
 * `undefined` if a field is invalid, missing or unknown. Generated from
 * `payload.ts` by `npm run generate`.
 */
import { buildEntries, type Flatten, toDateTime } from '../build-values.ts'
import { isDateTime } from '../date-time.ts'
import { ICON_URI_SCHEMES } from '../uri.ts'
import { SCHEMA_VERSION } from '../version.ts'
import { discard, isObject, isOneOf, isUri } from '../copy-values.ts'
import type * as types from './types.ts'
import { BADGE_COLORS, COMPONENT_TYPES, CARD_CHILD_TYPES } from './vocabulary.ts'

/** The payload that an endpoint returns for a data fetch: schema 1.0.0. */
export function buildPayload(fields: unknown, flatten: Flatten): types.Payload | undefined {
  if (!isObject(fields)) return undefined
  const { header, components } = fields
  const headerCopy = buildHeader(header)
  const componentsCopy = flatten(components, COMPONENT_TYPES)
  if (headerCopy === undefined || componentsCopy === undefined) return discard(header, components)
  for (const name in fields) {
    if (name !== 'header' && name !== 'components' && Object.hasOwn(fields, name)) return undefined
  }
  return { version: SCHEMA_VERSION, header: headerCopy, components: componentsCopy }
}

/** The title and icon of a widget or card. */
export function buildHeader(fields: unknown): types.Header | undefined {
  if (!isObject(fields)) return undefined
  const { title, icon_url } = fields
  if (
    (title !== undefined && typeof title !== 'string') ||
    (icon_url !== undefined && !isUri(icon_url, ICON_URI_SCHEMES))
  )
    return discard(title, icon_url)
  for (const name in fields) {
    if (name !== 'title' && name !== 'icon_url' && Object.hasOwn(fields, name)) return undefined
  }
  const built: types.Header = {}
  if (title !== undefined) built.title = title
  if (icon_url !== undefined) built.icon_url = icon_url
  return built
}

/** A group of related components. */
export function buildCard(fields: unknown, flatten: Flatten): types.Card | undefined {
  if (!isObject(fields)) return undefined
  const { header, components } = fields
  const headerCopy = header === undefined ? undefined : buildHeader(header)
  const componentsCopy = flatten(components, CARD_CHILD_TYPES)
  if ((header !== undefined && headerCopy === undefined) || componentsCopy === undefined)
    return discard(header, components)
  for (const name in fields) {
    if (name !== 'header' && name !== 'components' && Object.hasOwn(fields, name)) return undefined
  }
  const built: Partial<types.Card> = { type: 'card' }
  if (header !== undefined) built.header = headerCopy
  built.components = componentsCopy
  return built as types.Card
}

/** A label with text, which may have several lines. */
export function buildText(fields: unknown): types.Text | undefined {
  if (!isObject(fields)) return undefined
  const { label, value, icon_url } = fields
  if (
    typeof label !== 'string' ||
    typeof value !== 'string' ||
    (icon_url !== undefined && !isUri(icon_url, ICON_URI_SCHEMES))
  )
    return discard(label, value, icon_url)
  for (const name in fields) {
    if (name !== 'label' && name !== 'value' && name !== 'icon_url' && Object.hasOwn(fields, name))
      return undefined
  }
  return icon_url === undefined
    ? { type: 'text', label, value }
    : { type: 'text', label, value, icon_url }
}

/** A label with a date and time. */
export function buildDateTime(fields: unknown): types.DateTime | undefined {
  if (!isObject(fields)) return undefined
  const { label, value, icon_url } = fields
  const valueText = toDateTime(value)
  if (
    typeof label !== 'string' ||
    !isDateTime(valueText) ||
    (icon_url !== undefined && !isUri(icon_url, ICON_URI_SCHEMES))
  )
    return discard(label, value, icon_url)
  for (const name in fields) {
    if (name !== 'label' && name !== 'value' && name !== 'icon_url' && Object.hasOwn(fields, name))
      return undefined
  }
  return icon_url === undefined
    ? { type: 'date_time', label, value: valueText }
    : { type: 'date_time', label, value: valueText, icon_url }
}

/** A label with any number of colored items. */
export function buildBadge(fields: unknown): types.Badge | undefined {
  if (!isObject(fields)) return undefined
  const { label, items } = fields
  if (typeof label !== 'string') return discard(label, items)
  const itemsCopy = buildEntries(items, buildBadgeItem)
  if (itemsCopy === undefined) return discard(label, items)
  for (const name in fields) {
    if (name !== 'label' && name !== 'items' && Object.hasOwn(fields, name)) return undefined
  }
  return { type: 'badge', label, items: itemsCopy }
}

/** One colored item of a badge. */
export function buildBadgeItem(fields: unknown): types.BadgeItem | undefined {
  if (!isObject(fields)) return undefined
  const { value, color } = fields
  if (typeof value !== 'string' || !isOneOf(color, BADGE_COLORS)) return discard(value, color)
  for (const name in fields) {
    if (name !== 'value' && name !== 'color' && Object.hasOwn(fields, name)) return undefined
  }
  return { value, color }
}

/** A button that opens a URL, for example in an admin dashboard. */
export function buildButton(fields: unknown): types.Button | undefined {
  if (!isObject(fields)) return undefined
  const { label, button_type, url } = fields
  if (
    typeof label !== 'string' ||
    (button_type !== undefined && button_type !== 'link') ||
    !isUri(url, 'any')
  )
    return discard(label, button_type, url)
  for (const name in fields) {
    if (name !== 'label' && name !== 'button_type' && name !== 'url' && Object.hasOwn(fields, name))
      return undefined
  }
  return { type: 'button', label, button_type: 'link', url }
}

/** A link. */
export function buildLink(fields: unknown): types.Link | undefined {
  if (!isObject(fields)) return undefined
  const { label, url } = fields
  if (typeof label !== 'string' || !isUri(url, 'any')) return discard(label, url)
  for (const name in fields) {
    if (name !== 'label' && name !== 'url' && Object.hasOwn(fields, name)) return undefined
  }
  return { type: 'link', label, url }
}
