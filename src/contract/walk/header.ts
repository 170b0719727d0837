import { type Fields, isObject, isPlain, reportNo, reportUnknown } from './objects.ts'
import type { Walk } from './state.ts'
import { OPTIONAL_STRING, reportMissing, reportNoString, stringText, uriText } from './values.ts'

const HEADER_FIELDS = ['title', 'icon_url']

/** Both of its fields may be absent (A1). */
export function writeHeader(walk: Walk, header: unknown): string {
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
  const titleText = title === undefined ? '' : headerTitle(walk, title)
  const iconText = icon === undefined ? '' : uriText(walk, icon, 'icon_url')
  if (known < keys.length) reportUnknown(walk, 'header', keys, HEADER_FIELDS)
  if (icon === undefined) return title === undefined ? '{}' : `{"title":"${titleText}"}`
  return title === undefined
    ? `{"icon_url":"${iconText}"}`
    : `{"title":"${titleText}","icon_url":"${iconText}"}`
}

function headerTitle(walk: Walk, title: unknown): string {
  return typeof title === 'string'
    ? stringText(walk, title, 'title')
    : reportNoString(walk, title, 'title', OPTIONAL_STRING)
}
