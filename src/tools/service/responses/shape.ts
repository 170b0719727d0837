import { isDateTime } from '../../../runtime/contract/date-time.ts'
import {
  BADGE_COLORS,
  COMPONENT_TYPES,
  PAYLOAD_OBJECTS,
} from '../../../runtime/contract/generated/vocabulary.ts'
import { FETCH_DATA_PARAMETERS } from '../../../runtime/contract/parameters.ts'
import { SCHEMA_VERSION } from '../../../runtime/contract/version.ts'
import { normalizeActionLinks } from '../../internal/action-link.ts'
import type { Redact } from '../../../runtime/internal/create-redactor.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { containsText, isTooShort } from '../../internal/shown-text.ts'
import type { FetchDataIds } from '../endpoint/query.ts'
import { listTexts } from './reading.ts'

/** A data fetch: its IDs, and the parsed body of its response. */
export interface Customer {
  readonly params: FetchDataIds
  readonly body: unknown
}

/** Options of {@link toShape}. */
export interface ShapeOptions {
  /** Texts to keep, in any letter case. */
  readonly keep?: readonly string[]
  /** The responses for other customers. A label that one of them does not have is replaced. */
  readonly others?: readonly unknown[]
  /** Replaces secrets before anything else. */
  readonly redact?: Redact
}

/** A response of which only the shape is left. */
export interface Shape extends Customer {
  /** The number of different texts that were replaced. */
  readonly replaced: number
  /** The labels, the texts of `keep`, and the numbers of five or more digits that are unchanged. Labels that look like names are first. */
  readonly kept: readonly string[]
}

/** The closed lists of the contract. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  type: COMPONENT_TYPES,
  button_type: PAYLOAD_OBJECTS.button.button_type.values,
  color: BADGE_COLORS,
  version: [SCHEMA_VERSION],
}

/** The fields of payloads and problem responses. Other keys may be names. */
const FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(PAYLOAD_OBJECTS).flatMap((fields) => Object.keys(fields)),
  'status',
  'detail',
  'code',
  'error',
  'message',
  'traceId',
])

/** The date that replaces the earliest one of a response. */
const FIRST_DATE_MS = Date.UTC(2020, 0, 1)
const LAST_DATE_MS = Date.UTC(9999, 11, 31)
const DAY_MS = 86_400_000

/**
 * Replaces every text with a placeholder of the same form; equal texts get equal
 * placeholders. It does not depend on recognizing personal data: only labels that
 * all customers share, closed lists, numbers, and the texts of `keep` stay. All
 * dates move by the same time. A valid payload remains valid.
 *
 * @see docs/cli.md#record
 */
export function toShape({ params, body }: Customer, options: ShapeOptions = {}): Shape {
  const { keep = [], others = [], redact = (text) => text } = options
  const clean = (value: unknown) => redactValue(value, (text) => redact(normalizeActionLinks(text)))
  const source = clean(body)
  const values = findTexts(source, false)
  const texts = new Set([...values, ...findTexts(source, true), ...Object.values(params)])
  const labels = others.map((other) => new Set(findTexts(clean(other), true)))
  const isKeptText = new Set(keep.map((text) => text.toLowerCase()))
  const kept = new Set<string>()
  const placeholders = new Map<string, string>()
  const counts = new Map<string, number>()
  const times = new Set([...texts].flatMap((text) => toTime(text ?? '') ?? []))
  let shiftMs = FIRST_DATE_MS - [...times].reduce((first, time) => Math.min(first, time), Infinity)
  // A placeholder must not equal a date of the response.
  while ([...times].some((time) => times.has(time + shiftMs))) shiftMs += DAY_MS

  function replace(text: string, form: Form): string {
    if (isKeptText.has(text.toLowerCase())) return keepText(text)
    const known = placeholders.get(text)
    if (known !== undefined) return known
    for (;;) {
      const count = (counts.get(form.kind) ?? 0) + 1
      counts.set(form.kind, count)
      const placeholder = form.make(count)
      // A placeholder that equals a text of the response would leave that text in the file.
      if (texts.has(placeholder)) continue
      placeholders.set(text, placeholder)
      return placeholder
    }
  }

  function keepText(text: string): string {
    kept.add(text)
    return text
  }

  function isLabel(text: string): boolean {
    const hasId = Object.values(params).some(
      (id) => id !== undefined && id !== '' && text.includes(id),
    )
    // If only one customer was recorded, a label with a number or a value may be about them.
    const isShared = labels.length > 0 || !(/[\d@]/.test(text) || containsValue(text))
    return !hasId && isShared && formOf(text) === TEXT && labels.every((each) => each.has(text))
  }

  function containsValue(label: string): boolean {
    return values.some((value) => !isTooShort(value) && containsText(label, value))
  }

  function shapeText(text: string, key: string): string {
    if (text.trim() === '' || CLOSED[key]?.includes(text) === true) return text
    if (key === 'label' && isLabel(text)) return keepText(text)
    const time = toTime(text)
    if (time === undefined) return replace(text, formOf(text))
    return new Date(Math.min(time + shiftMs, LAST_DATE_MS)).toISOString()
  }

  function shapeValue(value: unknown, key: string): unknown {
    if (typeof value === 'string') return shapeText(value, key)
    if (typeof value === 'number' && /\d{5}/.test(String(value))) keepText(String(value))
    if (Array.isArray(value)) return value.map((item) => shapeValue(item, key))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([name, child]) => [
      FIELDS.has(name) ? name : replace(name, FIELD),
      shapeValue(child, name),
    ])
    return Object.fromEntries(entries)
  }

  const shaped = FETCH_DATA_PARAMETERS.flatMap((name) => {
    const { [name]: id } = params
    if (id === undefined) return []
    return [[name, id === '' ? id : replace(id, id.includes('@') ? EMAIL : idOf(name))]]
  })
  return {
    params: Object.fromEntries(shaped) as FetchDataIds,
    body: shapeValue(source, ''),
    replaced: placeholders.size,
    kept: [...kept].toSorted(
      (left, right) => Number(looksLikeName(right)) - Number(looksLikeName(left)),
    ),
  }
}

/** A kind of text, and its placeholders: `make(2)` creates the second one. */
interface Form {
  readonly kind: string
  readonly make: (count: number) => string
}

const TEXT: Form = { kind: 'text', make: (count) => `Text ${count}` }
const EMAIL: Form = { kind: 'email', make: (count) => `person${count}@example.com` }
const MAILTO: Form = { kind: 'email', make: (count) => `mailto:${EMAIL.make(count)}` }
const TEL: Form = { kind: 'tel', make: (count) => `tel:+1555${String(count).padStart(4, '0')}` }
const URI: Form = { kind: 'uri', make: (count) => `https://example.com/${count}` }
const FIELD: Form = { kind: 'field', make: (count) => `field_${count}` }

function idOf(name: string): Form {
  const stem = name.replace(/_id$/, '')
  return { kind: stem, make: (count) => `${stem}_${count}` }
}

function formOf(text: string): Form {
  if (/^mailto:/i.test(text)) return MAILTO
  if (/^tel:/i.test(text)) return TEL
  if (/^[a-z][a-z\d+.-]*:\S*$/i.test(text)) return URI
  if (/^\S+@\S+$/.test(text)) return EMAIL
  return /^[ -@[-`{-~\u00A0€£¥–−]*$/.test(text) && /\d/.test(text) ? digitsLike(text) : TEXT
}

/** Replaces the digits of a text with those of a number: `(415) 555-2671` → `(000) 000-0001`. */
function digitsLike(text: string): Form {
  const length = text.replaceAll(/\D/g, '').length
  return {
    kind: 'digits',
    make(count) {
      const digits = String(count).padStart(length, '0')
      let used = 0
      const written = text.replaceAll(/\d/g, () => digits.charAt(used++))
      return written + digits.slice(used)
    },
  }
}

/** Returns the time of a date-time in milliseconds. A leap second counts as the second before. */
function toTime(text: string): number | undefined {
  if (!isDateTime(text)) return undefined
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'))
  return Number.isNaN(time) ? FIRST_DATE_MS : time
}

/** Returns the texts of a JSON value that are labels, or those that are not. */
function findTexts(value: unknown, areLabels: boolean): readonly string[] {
  return [...listTexts(value)].flatMap(({ text, field, isName }) =>
    !isName && (field === 'label') === areLabels ? [text] : [],
  )
}

/** Returns whether a label has several capitalized words, as a name has. */
function looksLikeName(text: string): boolean {
  return /\p{Lu}\S* \p{Lu}/u.test(text) || /[^\p{ASCII}]/u.test(text)
}
