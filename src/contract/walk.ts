import * as explain from './explain.ts'
import type { PayloadIssue } from './issues.ts'
import type { Component } from './payload.ts'
import { Walk, type WalkOptions } from './walk-state.ts'
import {
  buttonTypeText,
  colorText,
  dateTimeText,
  reportMissing,
  reportNo,
  reportNoString,
  stringText,
  uriText,
} from './walk-values.ts'

/**
 * The one walk that judges a payload and writes its JSON in the same pass.
 *
 * It stands on every request, so it is written by hand: the zod schemas of
 * `payload.ts` are the source of the types, and a property test shows that the
 * two always agree. Every property is read exactly once, and only own
 * enumerable ones count, so that what was judged is what is written, whatever
 * getters and proxies answer the second time.
 */

/** What a walk came to: the JSON text, or what is wrong. */
export type Encoded =
  | { readonly ok: true; readonly json: string; readonly componentCount: number }
  | { readonly ok: false; readonly issues: PayloadIssue[] }

/** Any of the contract's objects, before it was judged. */
interface Fields {
  readonly type?: unknown
  readonly label?: unknown
  readonly value?: unknown
  readonly icon_url?: unknown
  readonly items?: unknown
  readonly color?: unknown
  readonly button_type?: unknown
  readonly url?: unknown
  readonly header?: unknown
  readonly components?: unknown
  readonly version?: unknown
  readonly title?: unknown
}

const PAYLOAD_FIELDS = ['version', 'header', 'components']
const HEADER_FIELDS = ['title', 'icon_url']
const ITEM_FIELDS = ['value', 'color']
const CARD_FIELDS = ['type', 'header', 'components']
const LABELLED_FIELDS = ['type', 'label', 'value', 'icon_url']
const BADGE_FIELDS = ['type', 'label', 'items']
const BUTTON_FIELDS = ['type', 'label', 'button_type', 'url']
const LINK_FIELDS = ['type', 'label', 'url']
const DIVIDER_FIELDS = ['type']

/** The seven values of `type`, in the contract's order. */
export const COMPONENT_TYPES: readonly Component['type'][] = [
  'card',
  'text',
  'date_time',
  'badge',
  'button',
  'link',
  'divider',
]

const UNREADABLE =
  'could not be read: a getter or a proxy threw, or the text is longer than a string can be'

/**
 * Judges a payload and writes its JSON in one pass. Never throws, whatever it
 * is given; stops at 20 issues.
 *
 * @internal
 */
export function encodePayload(value: unknown, options?: WalkOptions): Encoded {
  const walk = new Walk(options)
  let json = ''
  try {
    json = writePayload(walk, value)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
  }
  return walk.issues.length === 0
    ? { ok: true, json, componentCount: walk.componentCount }
    : { ok: false, issues: walk.issues }
}

/**
 * What is wrong with one component on its own, at the top level or in a card;
 * paths start at the component. Never throws.
 *
 * @internal
 */
export function componentIssues(
  value: unknown,
  place: 'payload' | 'card',
  options?: WalkOptions,
): PayloadIssue[] {
  const walk = new Walk(options)
  writeComponent(walk, value, place === 'card')
  return walk.issues
}

/**
 * What is wrong with a header on its own; paths start with `header`. Never throws.
 *
 * @internal
 */
export function headerIssues(value: unknown, options?: WalkOptions): PayloadIssue[] {
  const walk = new Walk(options)
  try {
    writeHeader(walk, value)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
  }
  return walk.issues
}

function writePayload(walk: Walk, payload: unknown): string {
  if (!isObject(payload)) return reportNo(walk, 'an object', payload)
  const fields: Fields = payload
  const keys = Object.keys(payload)
  let known = 0
  let version: unknown
  let header: unknown
  let components: unknown
  for (const key of keys) {
    if (key === 'version') version = fields.version
    else if (key === 'header') header = fields.header
    else if (key === 'components') components = fields.components
    else continue
    known++
  }
  // Any version is a string to us (A3): the checker has an opinion, the walk has none.
  const versionText = stringText(walk, version, 'version')
  const headerJson = writeHeader(walk, header)
  const componentsJson = Array.isArray(components)
    ? writeComponents(walk, components)
    : reportNo(walk, 'an array', components, 'components')
  if (known < keys.length) reportUnknown(walk, 'the payload', keys, PAYLOAD_FIELDS)
  return `{"version":"${versionText}","header":${headerJson},"components":${componentsJson}}`
}

function writeComponents(walk: Walk, components: readonly unknown[]): string {
  const length = components.length
  let json = '['
  for (let index = 0; index < length && !walk.isDone; index++) {
    walk.outer = index
    if (index > 0) json += ','
    json += writeComponent(walk, components[index], false)
  }
  walk.outer = -1
  return `${json}]`
}

function writeCardChildren(walk: Walk, components: readonly unknown[]): string {
  const length = components.length
  let json = '['
  for (let index = 0; index < length && !walk.isDone; index++) {
    walk.inner = index
    if (index > 0) json += ','
    json += writeComponent(walk, components[index], true)
  }
  walk.inner = -1
  return `${json}]`
}

/** One that cannot be read costs its own place an issue, and the others nothing. */
function writeComponent(walk: Walk, component: unknown, inCard: boolean): string {
  if (!walk.countComponent()) return ''
  try {
    return writeKnownComponent(walk, component, inCard)
  } catch {
    walk.report('unreadable', undefined, UNREADABLE)
    walk.item = -1
    walk.inHeader = false
    if (!inCard) walk.inner = -1
    return ''
  }
}

function writeKnownComponent(walk: Walk, component: unknown, inCard: boolean): string {
  if (!isObject(component)) return reportNo(walk, 'an object', component)
  const fields: Fields = component
  const keys = Object.keys(component)
  const type = keys.includes('type') ? fields.type : undefined
  switch (type) {
    case 'text':
      return writeText(walk, fields, keys)
    case 'date_time':
      return writeDateTime(walk, fields, keys)
    case 'badge':
      return writeBadge(walk, fields, keys)
    case 'button':
      return writeButton(walk, fields, keys)
    case 'link':
      return writeLink(walk, fields, keys)
    case 'divider':
      if (keys.length > 1) reportUnknown(walk, 'divider', keys, DIVIDER_FIELDS)
      return '{"type":"divider"}'
    case 'card':
      if (inCard) return walk.report('nested_card', 'type', NESTED_CARD)
      return writeCard(walk, fields, keys)
    default:
      if (typeof type !== 'string') return reportNoString(walk, type, 'type', false)
      return walk.report(
        'unknown_component',
        'type',
        explain.notOneOf('a component', type, COMPONENT_TYPES),
      )
  }
}

const NESTED_CARD =
  'a card cannot hold a card: move it to the top level, or put its components here instead'

function writeText(walk: Walk, fields: Fields, keys: readonly string[]): string {
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
  const valueText = stringText(walk, value, 'value')
  const end = icon === undefined ? '"}' : iconEnd(walk, icon)
  if (known < keys.length) reportUnknown(walk, 'text', keys, LABELLED_FIELDS)
  return `{"type":"text","label":"${labelText}","value":"${valueText}${end}`
}

function writeDateTime(walk: Walk, fields: Fields, keys: readonly string[]): string {
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
  const valueText = dateTimeText(walk, value, 'value')
  const end = icon === undefined ? '"}' : iconEnd(walk, icon)
  if (known < keys.length) reportUnknown(walk, 'date_time', keys, LABELLED_FIELDS)
  return `{"type":"date_time","label":"${labelText}","value":"${valueText}${end}`
}

function iconEnd(walk: Walk, icon: unknown): string {
  return `","icon_url":"${uriText(walk, icon, 'icon_url')}"}`
}

function writeBadge(walk: Walk, fields: Fields, keys: readonly string[]): string {
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
  const json = `{"value":"${stringText(walk, value, 'value')}","color":"${colorText(walk, color, 'color')}"}`
  if (known < keys.length) reportUnknown(walk, 'a badge item', keys, ITEM_FIELDS)
  return json
}

function writeButton(walk: Walk, fields: Fields, keys: readonly string[]): string {
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

function writeLink(walk: Walk, fields: Fields, keys: readonly string[]): string {
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

function writeCard(walk: Walk, fields: Fields, keys: readonly string[]): string {
  let known = 1
  let header: unknown
  let components: unknown
  for (const key of keys) {
    if (key === 'header') header = fields.header
    else if (key === 'components') components = fields.components
    else continue
    known++
  }
  const headerJson = header === undefined ? '' : `"header":${writeHeader(walk, header)},`
  const componentsJson = Array.isArray(components)
    ? writeCardChildren(walk, components)
    : reportNo(walk, 'an array', components, 'components')
  if (known < keys.length) reportUnknown(walk, 'card', keys, CARD_FIELDS)
  return `{"type":"card",${headerJson}"components":${componentsJson}}`
}

/** Both of its fields may be absent (A1). */
function writeHeader(walk: Walk, header: unknown): string {
  if (header === undefined) return reportMissing(walk, 'header', 'an object with a title')
  walk.inHeader = true
  const json = isObject(header)
    ? writeHeaderFields(walk, header)
    : reportNo(walk, 'an object', header)
  walk.inHeader = false
  return json
}

function writeHeaderFields(walk: Walk, fields: Fields): string {
  const keys = Object.keys(fields)
  if (keys.length === 0 && !isPlain(fields)) return reportNo(walk, 'a plain object', fields)
  let known = 0
  let title: unknown
  let icon: unknown
  for (const key of keys) {
    if (key === 'title') title = fields.title
    else if (key === 'icon_url') icon = fields.icon_url
    else continue
    known++
  }
  let json = '{'
  if (title !== undefined) json += `"title":"${headerTitle(walk, title)}"`
  if (icon !== undefined) {
    json += `${title === undefined ? '' : ','}"icon_url":"${uriText(walk, icon, 'icon_url')}"`
  }
  if (known < keys.length) reportUnknown(walk, 'header', keys, HEADER_FIELDS)
  return `${json}}`
}

function headerTitle(walk: Walk, title: unknown): string {
  return typeof title === 'string'
    ? stringText(walk, title, 'title')
    : reportNoString(walk, title, 'title', true)
}

/** Fields outside the table (A2); on a divider the contract itself forbids them. */
function reportUnknown(
  walk: Walk,
  owner: string,
  keys: readonly string[],
  known: readonly string[],
): void {
  if (walk.ignoresUnknown && known !== DIVIDER_FIELDS) return
  for (const key of keys) {
    if (known.includes(key)) continue
    walk.report('unknown_field', key, explain.unknownField(owner, key, known))
    if (walk.isDone) return
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Not a Map, a Date, a Promise …, which have no own fields and would pass for an empty header. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // A root prototype of any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
