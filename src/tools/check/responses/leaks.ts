import { containsText, listEncodings } from '../../internal/shown-text.ts'
import { createFinder } from '../../../runtime/internal/create-redactor.ts'
import { isSecretHeader, secretParts } from '../../service/endpoint/credentials.ts'
import type { Exchange } from '../../service/endpoint/exchange.ts'
import { readResponse } from '../../service/responses/reading.ts'

/** The minimum length of values that are searched in any encoding. */
const LONG = 8

/** Matches the start of a masked secret, such as `k7Qp****`. */
const MASKED = /(?<![\w-])(?=[\w-]*\d|[\w-]{8})[\w-]{4,40}(?=[*•…]|\.\.)/g

/**
 * Creates a function that returns where a response contains the value of a secret header,
 * in any encoding.
 * A short value, such as `k`, is part of many words, so it only counts next to its
 * name.
 */
export function createLeakFinder(name: string, value: string) {
  const isSecret = isSecretHeader(name, value)
  const secrets = isSecret ? [...new Set([value.trim(), ...secretParts(name, value)])] : []
  const long = secrets.filter(({ length }) => length >= LONG)
  const containsLong = createFinder(long)
  const encoded = [...new Set(long.flatMap(listEncodings))]
  const isMasked = (text: string) =>
    text.match(MASKED)?.some((start) => long.some((secret) => secret.startsWith(start)))
  const short = secrets.filter(({ length }) => length < LONG)
  const matches = (text: string, label: string) => {
    const folded = text.toLowerCase()
    return (
      containsLong(text) ||
      isMasked(text) === true ||
      encoded.some((each) => folded.includes(each)) ||
      short.some((secret) => containsShort(text, label, name, secret))
    )
  }
  return (exchange: Exchange) => (isSecret ? findPlace(exchange, matches) : undefined)
}

/** Returns where a response contains a value that the check made up. */
export function findEcho(value: string, exchange: Exchange): string | undefined {
  return value.length < LONG ? undefined : findPlace(exchange, createFinder([value]))
}

function containsShort(text: string, label: string, name: string, secret: string): boolean {
  if (secret.length >= 4) return containsText(text, secret)
  const isNamed = new RegExp(`${escapeRegExp(name)}|key|secret|token|password|authorization`, 'i')
  return (text === secret && isNamed.test(label)) || isKeyValuePair(name, secret, text)
}

/**
 * Returns whether a text contains a pair such as `x-key: k`, `"x-key":"k"`,
 * `key=k` or `the secret is k`.
 */
function isKeyValuePair(name: string, value: string, text: string): boolean {
  const marks = `["'\\\\]*`
  const words = `(?:${escapeRegExp(name)}|\\b(?:key|secret|token|password|authorization))`
  const pattern = `${words}${marks}\\s*(?:[:=]|is\\b)\\s*${marks}${escapeRegExp(value)}(?![\\p{L}\\p{N}])`
  return new RegExp(pattern, 'iu').test(text)
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Returns the place of the first text that matches, of which there may be a name, a header or a whole body. */
export function findPlace(
  { response }: Exchange,
  matches: (text: string, label: string) => boolean,
): string | undefined {
  const texts = response === undefined ? [] : readResponse(response)
  return texts.find(({ text, field, isName }) => matches(text, isName ? '' : field))?.path
}
