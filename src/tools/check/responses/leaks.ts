import { createFinder } from '../../../runtime/internal/create-redactor.ts'
import { tryJson } from '../../../runtime/internal/try-json.ts'
import { isSecretHeader, secretParts } from '../../service/endpoint/credentials.ts'
import type { Exchange, ExchangeResponse } from '../../service/endpoint/exchange.ts'
import { listTexts } from '../../service/responses/json-texts.ts'

/** The minimum length of values that are searched in any encoding. */
const LONG = 8

/** Returns all visible text of a response in one string. */
export function visibleText({ response }: Exchange): string {
  if (response === undefined) return ''
  const { statusText, headers, trailers = {} } = response
  const lines = Object.entries({ ...headers, ...trailers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return `${statusText}\n${lines.join('\n')}\n\n${readText(response)}`
}

/** Returns the body as text. Without its zero bytes, UTF-16 is readable too. */
function readText({ text, body }: ExchangeResponse): string {
  return (text ?? new TextDecoder('latin1').decode(body)).replaceAll('\0', '')
}

/**
 * Returns where a response contains the value of a secret header, in any encoding.
 * A short value, such as `k`, is part of many words, so it only counts next to its
 * name.
 */
export function findHeaderLeak(
  name: string,
  value: string,
  exchange: Exchange,
): string | undefined {
  if (!isSecretHeader(name, value)) return undefined
  const secrets = [...new Set([value.trim(), ...secretParts(name, value)])]
  const containsLong = createFinder(secrets.filter(({ length }) => length >= LONG))
  const short = secrets.filter(({ length }) => length < LONG)
  return findPlace(
    exchange,
    (text, label) =>
      containsLong(text) || short.some((secret) => containsShort(text, label, name, secret)),
  )
}

/** Returns where a response contains a value that the check made up. */
export function findEcho(value: string, exchange: Exchange): string | undefined {
  return value.length < LONG ? undefined : findPlace(exchange, createFinder([value]))
}

function containsShort(text: string, label: string, name: string, secret: string): boolean {
  if (secret.length >= 4) return isWholeWord(secret, text)
  const isNamed = new RegExp(`${escapeRegExp(name)}|key|secret|token|password|authorization`, 'i')
  return (text === secret && isNamed.test(label)) || isKeyValuePair(name, secret, text)
}

/** Returns whether a text contains a word, without a letter or a digit next to it. */
export function isWholeWord(word: string, text: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(word)}(?![\\p{L}\\p{N}])`, 'u').test(text)
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

/** Returns the place of the first text that matches: the reason phrase, a header, a trailer, a path of the JSON body, or the body. */
export function findPlace(
  { response }: Exchange,
  matches: (text: string, label: string) => boolean,
): string | undefined {
  if (response === undefined) return undefined
  if (matches(response.statusText, '')) return 'reason phrase'
  for (const [name, value] of Object.entries(response.headers)) {
    if (matches(value, name) || matches(name, '')) return `header ${name}`
  }
  for (const [name, value] of Object.entries(response.trailers ?? {})) {
    if (matches(value, name) || matches(name, '')) return `trailer ${name}`
  }
  const body = readText(response)
  const json = tryJson(body)
  if (typeof json !== 'object' || json === null) return matches(body, '') ? 'body' : undefined
  for (const { text, path, field, isName } of listTexts(json)) {
    if (matches(text, isName ? '' : field)) return path
  }
  return undefined
}
