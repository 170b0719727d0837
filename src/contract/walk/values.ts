import { isDateTime } from '../date-time.ts'
import * as explain from '../explain.ts'
import type { Wanted } from '../explain.ts'
import { jsonText } from './json-text.ts'
import { uriFault } from '../uri.ts'
import type { Walk } from './state.ts'

/**
 * The single values of the contract's tables. Each is judged, and what comes
 * back is what stands between its quotes: a walk that joins fewer and longer
 * pieces is measurably faster.
 */

export const BADGE_COLORS = ['blue', 'green', 'red', 'orange', 'gray'] as const
export const BUTTON_TYPES = ['link'] as const

const NO_NULL = 'leave the component out when there is none'
export const STRING: Wanted = { what: 'a string', notNull: "write '' for none" }
export const OPTIONAL_STRING: Wanted = { what: 'a string', notNull: 'leave the field out' }
const URI: Wanted = { what: 'a URI, such as https://example.com/', notNull: NO_NULL }
const OPTIONAL_URI: Wanted = { ...URI, notNull: OPTIONAL_STRING.notNull }
const DATE_TIME: Wanted = { what: 'an RFC 3339 date-time', notNull: NO_NULL }
const COLOR: Wanted = {
  what: `one of ${explain.orList(BADGE_COLORS)}`,
  notNull: 'use gray for none',
}
const BUTTON_TYPE: Wanted = { what: '"link"', notNull: 'there is no other' }

export function stringText(walk: Walk, value: unknown, field: string): string {
  return typeof value === 'string' ? jsonText(value) : reportNoString(walk, value, field, STRING)
}

export function uriText(walk: Walk, value: unknown, field: string): string {
  if (typeof value !== 'string') {
    return reportNoString(walk, value, field, field === 'icon_url' ? OPTIONAL_URI : URI)
  }
  const fault = uriFault(value, walk.schemes)
  // What RFC 3986 allows never needs an escape in JSON.
  if (fault === undefined) return value
  const code = fault === 'scheme' ? 'invalid_uri_scheme' : 'invalid_uri'
  return walk.report(code, field, explain.notALink(value, fault, walk.schemes))
}

export function dateTimeText(walk: Walk, value: unknown, field: string): string {
  if (typeof value !== 'string') return reportNoString(walk, value, field, DATE_TIME)
  if (isDateTime(value)) return value
  return walk.report('invalid_date_time', field, explain.notADateTime(value))
}

/** From the end of an item's value to the end of the item. */
export function colorEnd(walk: Walk, value: unknown): string {
  switch (value) {
    case 'blue':
      return '","color":"blue"}'
    case 'green':
      return '","color":"green"}'
    case 'red':
      return '","color":"red"}'
    case 'orange':
      return '","color":"orange"}'
    case 'gray':
      return '","color":"gray"}'
    default:
      if (typeof value !== 'string') return reportNoString(walk, value, 'color', COLOR)
      return walk.report(
        'invalid_color',
        'color',
        explain.notOneOf('a colour', value, BADGE_COLORS),
      )
  }
}

/** There is one button type, so that it is written with the label. */
export function judgeButtonType(walk: Walk, value: unknown): void {
  if (value === 'link') return
  if (typeof value !== 'string') {
    reportNoString(walk, value, 'button_type', BUTTON_TYPE)
    return
  }
  const message = explain.notOneOf('a button type', value, BUTTON_TYPES)
  walk.report('invalid_button_type', 'button_type', message)
}

export function reportNoString(walk: Walk, value: unknown, field: string, wanted: Wanted): string {
  if (value === undefined) return reportMissing(walk, field, wanted.what)
  return walk.report('invalid_type', field, explain.notAString(value, wanted))
}

export function reportMissing(walk: Walk, field: string, what: string): string {
  return walk.report('missing_field', field, `is missing: add ${explain.excerpt(field)}, ${what}`)
}
