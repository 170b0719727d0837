import { type Fields, isObject, reportNo, reportUnknown } from './objects.ts'
import type { Walk } from './state.ts'
import { buttonTypeText, colorEnd, dateTimeText, stringText, uriText } from './values.ts'

/**
 * The components that hold no others. Each function gets the component's own
 * keys, so that every property is read once, and only if it is the object's own.
 */

const LABELLED_FIELDS = ['type', 'label', 'value', 'icon_url']
const BADGE_FIELDS = ['type', 'label', 'items']
const ITEM_FIELDS = ['value', 'color']
const BUTTON_FIELDS = ['type', 'label', 'button_type', 'url']
const LINK_FIELDS = ['type', 'label', 'url']

/** A `text` or a `date_time`: they differ in what their value may be. */
export function writeLabelled(
  walk: Walk,
  fields: Fields,
  keys: readonly string[],
  type: 'text' | 'date_time',
): string {
  let known = 1
  let label: unknown
  let value: unknown
  let icon: unknown
  for (const key of keys) {
    if (key === 'label') label = fields.label
    else if (key === 'value') value = fields.value
    else if (key === 'icon_url') icon = fields.icon_url
    else continue
    known++
  }
  const labelText = stringText(walk, label, 'label')
  const valueText =
    type === 'text' ? stringText(walk, value, 'value') : dateTimeText(walk, value, 'value')
  const end = icon === undefined ? '"}' : iconEnd(walk, icon)
  if (known < keys.length) reportUnknown(walk, type, keys, LABELLED_FIELDS)
  return `{"type":"${type}","label":"${labelText}","value":"${valueText}${end}`
}

function iconEnd(walk: Walk, icon: unknown): string {
  return `","icon_url":"${uriText(walk, icon, 'icon_url')}"}`
}

export function writeBadge(walk: Walk, fields: Fields, keys: readonly string[]): string {
  let known = 1
  let label: unknown
  let items: unknown
  for (const key of keys) {
    if (key === 'label') label = fields.label
    else if (key === 'items') items = fields.items
    else continue
    known++
  }
  const labelText = stringText(walk, label, 'label')
  const itemsJson = Array.isArray(items)
    ? writeItems(walk, items)
    : reportNo(walk, 'an array', items, 'items')
  if (known < keys.length) reportUnknown(walk, 'badge', keys, BADGE_FIELDS)
  return `{"type":"badge","label":"${labelText}","items":[${itemsJson}]}`
}

function writeItems(walk: Walk, items: readonly unknown[]): string {
  const length = items.length
  let json = ''
  for (let index = 0; index < length && !walk.isDone; index++) {
    walk.item = index
    if (!walk.countItem()) break
    if (index > 0) json += ','
    json += writeItem(walk, items[index])
  }
  walk.item = -1
  return json
}

function writeItem(walk: Walk, item: unknown): string {
  if (!isObject(item)) return reportNo(walk, 'an object', item)
  const fields: Fields = item
  const keys = Object.keys(item)
  let known = 0
  let value: unknown
  let color: unknown
  for (const key of keys) {
    if (key === 'value') value = fields.value
    else if (key === 'color') color = fields.color
    else continue
    known++
  }
  const valueText = stringText(walk, value, 'value')
  const end = colorEnd(walk, color)
  if (known < keys.length) reportUnknown(walk, 'a badge item', keys, ITEM_FIELDS)
  return `{"value":"${valueText}${end}`
}

export function writeButton(walk: Walk, fields: Fields, keys: readonly string[]): string {
  let known = 1
  let label: unknown
  let buttonType: unknown
  let url: unknown
  for (const key of keys) {
    if (key === 'label') label = fields.label
    else if (key === 'button_type') buttonType = fields.button_type
    else if (key === 'url') url = fields.url
    else continue
    known++
  }
  const json = `{"type":"button","label":"${stringText(walk, label, 'label')}","button_type":"${buttonTypeText(walk, buttonType, 'button_type')}","url":"${uriText(walk, url, 'url')}"}`
  if (known < keys.length) reportUnknown(walk, 'button', keys, BUTTON_FIELDS)
  return json
}

export function writeLink(walk: Walk, fields: Fields, keys: readonly string[]): string {
  let known = 1
  let label: unknown
  let url: unknown
  for (const key of keys) {
    if (key === 'label') label = fields.label
    else if (key === 'url') url = fields.url
    else continue
    known++
  }
  const json = `{"type":"link","label":"${stringText(walk, label, 'label')}","url":"${uriText(walk, url, 'url')}"}`
  if (known < keys.length) reportUnknown(walk, 'link', keys, LINK_FIELDS)
  return json
}
