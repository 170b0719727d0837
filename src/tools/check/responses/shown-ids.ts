import type { PlacedText } from '../../service/responses/reading.ts'
import { decodePercent } from '../../internal/decode-percent.ts'
import { containsText } from '../../internal/shown-text.ts'

/**
 * Returns whether a text shows an ID: as the whole text, as a whole part of a
 * URL, or, for an ID of eight characters or more, as a whole word.
 */
export function showsId(text: string, id: string): boolean {
  const wanted = id.trim().toLowerCase()
  if (wanted === '' || !(text.includes(wanted) || text.includes('%'))) return false
  if (text === wanted || urlParts(text).includes(wanted)) return true
  return wanted.length >= 8 && containsText(text, wanted)
}

function urlParts(text: string): readonly string[] {
  const [, rest] = /^[a-z][\w+.-]*:(?:\/\/[^/?#]*)?(.*)$/s.exec(text) ?? []
  return (rest ?? '').split(/[/?&=#]/).map((part) => decodePercent(part).toLowerCase())
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
