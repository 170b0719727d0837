import { ICON_URL, TITLE } from './fields.ts'
import { isObject, isPlain, refuseOthers, reportNo } from './objects.ts'
import { phraseOf } from './phrases.ts'
import type { Walk } from './state.ts'
import { OPTIONAL_STRING, reportMissing, reportNoString, uriText } from './values.ts'

const HEADER_FIELDS = TITLE | ICON_URL

const START = phraseOf('{"title":"', '"')
const ICON_END = phraseOf(',"icon_url":"', '"}')

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

function writeHeaderFields(walk: Walk, header: object): string {
  walk.fields.read(header)
  const { seen, title, icon_url } = walk.fields
  if (seen === 0 && !isPlain(header)) return reportNo(walk, 'a plain object', header)
  const start = title === undefined ? '{' : headerStart(walk, title)
  const iconText = icon_url === undefined ? '' : uriText(walk, icon_url, 'icon_url')
  refuseOthers(walk, 'header', HEADER_FIELDS, seen, header)
  if (icon_url === undefined) return `${start}}`
  return title === undefined ? `{"icon_url":"${iconText}"}` : start + ICON_END(iconText)
}

function headerStart(walk: Walk, title: unknown): string {
  return typeof title === 'string'
    ? START(title)
    : reportNoString(walk, title, 'title', OPTIONAL_STRING)
}
