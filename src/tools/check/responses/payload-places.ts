import type { JsonObject } from '../../service/endpoint/json-object.ts'
import { listTexts } from '../../service/responses/json-texts.ts'
import { isWholeWord } from './leaks.ts'

/** A text of a payload, and where agents see it. */
export interface PlacedText {
  /** The path, such as `components[0].value`. */
  readonly path: string
  /** The label and the field, which are the same in the responses of one endpoint. */
  readonly place: string
  readonly text: string
  /** Whether the text may come from a closed list, such as the value of a badge. */
  readonly isClosed: boolean
}

/** Fields whose values the contract defines. */
const DEFINED = new Set(['type', 'color', 'button_type', 'version'])

/** Returns the texts of a payload, valid or not. */
export function readPlacedTexts(payload: JsonObject): readonly PlacedText[] {
  return [...listTexts(payload)]
    .filter(({ isName, field }) => !isName && !DEFINED.has(field))
    .map(({ text, path, field, label }) => ({
      path,
      place: `${field === 'label' ? '' : label}|${field}`,
      text: text.trim().toLowerCase(),
      isClosed: field === 'label' || /\.items\[\d+\]\.value$/.test(path),
    }))
}

/**
 * Returns whether a text shows an ID: as the whole text, as a whole part of a
 * URL, or, for an ID of eight characters or more, as a whole word.
 */
export function showsId(text: string, id: string): boolean {
  const wanted = id.trim().toLowerCase()
  if (wanted === '' || !contains(text, wanted)) return false
  if (text === wanted || urlParts(text).includes(wanted)) return true
  return wanted.length >= 8 && isWholeWord(wanted, text)
}

/** Returns whether a text may contain an ID: a quick test that rules out most texts. */
function contains(text: string, id: string): boolean {
  return text.includes(id) || text.includes('%')
}

function urlParts(text: string): readonly string[] {
  const [, rest] = /^[a-z][\w+.-]*:(?:\/\/[^/?#]*)?(.*)$/s.exec(text) ?? []
  return (rest ?? '').split(/[/?&=#]/).map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).toLowerCase()
  } catch {
    return part
  }
}

const TIME_WORDS =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|second|minute|hour|day|week|month|year|today|yesterday|tomorrow|utc|gmt)[a-z]*|\bago\b|\bin\b|\bat\b/g

/**
 * Returns whether a text can identify a customer: it is long enough, from no
 * closed list, and neither a time nor a number.
 */
export function isDistinctive({ text, isClosed }: PlacedText): boolean {
  if (isClosed || text.length < 8) return false
  const words = text.slice(0, 1_000).replaceAll(TIME_WORDS, '')
  return (words.match(/\p{L}/gu)?.length ?? 0) >= 4
}
