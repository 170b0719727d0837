import { BUTTON_TYPE, COLOR, ICON_URL, ITEMS, LABEL, TYPE, URL, VALUE } from './fields.ts'
import { isObject, refuseOthers, reportNo } from './objects.ts'
import { type Phrase, phraseOf } from './phrases.ts'
import type { Walk } from './state.ts'
import {
  colorEnd,
  dateTimeText,
  judgeButtonType,
  reportNoString,
  STRING,
  stringText,
  uriText,
} from './values.ts'

/** The components that hold no others; `walk.fields` are those of the component. */

const LABELLED_FIELDS = TYPE | LABEL | VALUE | ICON_URL
const BADGE_FIELDS = TYPE | LABEL | ITEMS
const ITEM_FIELDS = VALUE | COLOR
const BUTTON_FIELDS = TYPE | LABEL | BUTTON_TYPE | URL
const LINK_FIELDS = TYPE | LABEL | URL

const TEXT = phraseOf('{"type":"text","label":"', '","value":"')
const DATE_TIME = phraseOf('{"type":"date_time","label":"', '","value":"')
const BADGE = phraseOf('{"type":"badge","label":"', '","items":[')
const BUTTON = phraseOf('{"type":"button","label":"', '","button_type":"link","url":"')
const LINK = phraseOf('{"type":"link","label":"', '","url":"')
const ICON_END = phraseOf('","icon_url":"', '"}')

/** A `text` or a `date_time`: they differ in what their value may be. */
export function writeLabelled(walk: Walk, component: object, type: 'text' | 'date_time'): string {
  const { seen, label, value, icon_url } = walk.fields
  const opening = openingOf(walk, type === 'text' ? TEXT : DATE_TIME, label)
  const valueText =
    type === 'text' ? stringText(walk, value, 'value') : dateTimeText(walk, value, 'value')
  const end = icon_url === undefined ? '"}' : ICON_END(uriText(walk, icon_url, 'icon_url'))
  refuseOthers(walk, type, LABELLED_FIELDS, seen, component)
  return `${opening}${valueText}${end}`
}

/** A component from its start to where its second field begins. */
function openingOf(walk: Walk, phrase: Phrase, label: unknown): string {
  return typeof label === 'string' ? phrase(label) : reportNoString(walk, label, 'label', STRING)
}

export function writeBadge(walk: Walk, component: object): string {
  const { seen, label, items } = walk.fields
  const opening = openingOf(walk, BADGE, label)
  const itemsJson = Array.isArray(items)
    ? writeItems(walk, items)
    : reportNo(walk, 'an array', items, 'items')
  refuseOthers(walk, 'badge', BADGE_FIELDS, seen, component)
  return `${opening}${itemsJson}]}`
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
  walk.fields.read(item)
  const { seen, value, color } = walk.fields
  const json = `{"value":"${stringText(walk, value, 'value')}${colorEnd(walk, color)}`
  refuseOthers(walk, 'a badge item', ITEM_FIELDS, seen, item)
  return json
}

/** A `button` or a `link`: a button has its type besides. */
export function writeLinked(walk: Walk, component: object, type: 'button' | 'link'): string {
  const { seen, label, button_type, url } = walk.fields
  const isButton = type === 'button'
  const opening = openingOf(walk, isButton ? BUTTON : LINK, label)
  if (isButton) judgeButtonType(walk, button_type)
  const urlText = uriText(walk, url, 'url')
  refuseOthers(walk, type, isButton ? BUTTON_FIELDS : LINK_FIELDS, seen, component)
  return `${opening}${urlText}"}`
}
