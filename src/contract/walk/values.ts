import { isDateTime } from '../date-time.ts'
import * as explain from '../explain.ts'
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

export function stringText(walk: Walk, value: unknown, field: string): string {
  return typeof value === 'string' ? jsonText(value) : reportNoString(walk, value, field, false)
}

export function uriText(walk: Walk, value: unknown, field: string): string {
  if (typeof value !== 'string') return reportNoString(walk, value, field, field === 'icon_url')
  const fault = uriFault(value, walk.schemes)
  // What RFC 3986 allows never needs an escape in JSON.
  if (fault === undefined) return value
  const code = fault === 'scheme' ? 'invalid_uri_scheme' : 'invalid_uri'
  return walk.report(code, field, explain.notALink(value, fault, walk.schemes))
}

export function dateTimeText(walk: Walk, value: unknown, field: string): string {
  if (typeof value !== 'string') return reportNoString(walk, value, field, false)
  if (isDateTime(value)) return value
  return walk.report('invalid_date_time', field, explain.notADateTime(value))
}

export function colorText(walk: Walk, value: unknown, field: string): string {
  switch (value) {
    case 'blue':
    case 'green':
    case 'red':
    case 'orange':
    case 'gray':
      return value
    default:
      if (typeof value !== 'string') return reportNoString(walk, value, field, false)
      return walk.report('invalid_color', field, explain.notOneOf('a colour', value, BADGE_COLORS))
  }
}

export function buttonTypeText(walk: Walk, value: unknown, field: string): string {
  if (value === 'link') return value
  if (typeof value !== 'string') return reportNoString(walk, value, field, false)
  const message = explain.notOneOf('a button type', value, BUTTON_TYPES)
  return walk.report('invalid_button_type', field, message)
}

export function reportNoString(
  walk: Walk,
  value: unknown,
  field: string,
  optional: boolean,
): string {
  if (value === undefined) return reportMissing(walk, field, 'a string')
  return walk.report('invalid_type', field, explain.notAString(value, optional))
}

export function reportMissing(walk: Walk, field: string, what: string): string {
  return walk.report('missing_field', field, `is missing: add ${explain.excerpt(field)}, ${what}`)
}
