import { isRecord } from '../../../runtime/internal/read-options.ts'
import { readIds, parseBody } from './read-logged.ts'
import type { LoggedExchange } from '../core/exchange-log.ts'

const MAX_TEXTS = 10
const MIN_LENGTH = 3
const MAX_LENGTH = 100

/** The fields whose texts agents read. */
const SHOWN = new Set(['title', 'label', 'value'])

/**
 * Returns the texts of a payload that no logged payload of another customer
 * contains. Without such a payload, no text is known to be the customer's own.
 */
export function findOwnTexts(
  logged: LoggedExchange,
  all: readonly LoggedExchange[],
): readonly string[] {
  const own = customerOf(logged)
  const others = all.filter((each) => each.outcome === 'rendered' && customerOf(each) !== own)
  if (others.length === 0) return []
  const seen = others.map(({ response }) => fold(response?.body ?? ''))
  const texts = [...shownTexts(parseBody(logged.response?.body ?? ''))].filter((text) => {
    if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || Date.parse(text) > 0) return false
    const written = fold(JSON.stringify(text).slice(1, -1))
    return !seen.some((body) => body.includes(written))
  })
  return [...new Set(texts)].slice(0, MAX_TEXTS)
}

function customerOf({ parameters }: LoggedExchange): string {
  const { account_id, requester_id, requester_email } = readIds(parameters)
  return JSON.stringify([account_id, requester_id, requester_email])
}

function* shownTexts(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* shownTexts(each)
  else if (isRecord(value)) {
    for (const [name, each] of Object.entries(value)) {
      if (typeof each !== 'string') yield* shownTexts(each)
      else if (SHOWN.has(name)) yield each.trim()
    }
  }
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
