import type { Exchange } from '../desk/exchange.ts'

/** Names of headers that carry a secret. */
const SECRET_NAME = /auth|key|secret|token|pass|sign|credential|cookie|session|jwt|bearer/i

/** Headers that say how to answer; their values turn up in answers by right. */
const ORDINARY_NAME =
  /^(?:accept(?:-.*)?|content-.*|user-agent|host|origin|referer|cache-control|traceparent)$/i

/** Everything of an answer that a reader may see, in one string. */
export function visibleText({ response }: Exchange): string {
  if (response === undefined) return ''
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
  const body = response.text ?? new TextDecoder('latin1').decode(response.body)
  return `${headers.join('\n')}\n\n${body}`
}

/**
 * Tells whether an answer shows the value of a custom header. A header is taken
 * for a secret when its name says so or its value looks random. A short value
 * counts only where it is clearly meant, as `k` is part of most words.
 */
export function showsHeader(name: string, value: string, exchange: Exchange): boolean {
  const secret = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '')
  if (secret === '' || ORDINARY_NAME.test(name)) return false
  const looksRandom = secret.length >= 16 && /\d/.test(secret) && /[a-z]/i.test(secret)
  if (!SECRET_NAME.test(name) && !looksRandom) return false
  const text = visibleText(exchange)
  if (secret.length >= 8) return text.includes(secret) || text.includes(escaped(secret))
  if (secret.length >= 4) return standsAlone(secret, text)
  return standsAfterName(name, secret, text) || isWholeString(secret, text)
}

/** As a JSON string writes it. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function standsAlone(word: string, text: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal(word)}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** `x-key: k`, `"x-key":"k"`, `key=k`, `the secret is k`. */
function standsAfterName(name: string, value: string, text: string): boolean {
  const marks = `["'\\\\]*`
  const words = `(?:${literal(name)}|\\b(?:key|secret|token|password|authorization))`
  const pattern = `${words}${marks}\\s*(?:[:=]|is\\b)\\s*${marks}${literal(value)}(?![\\p{L}\\p{N}])`
  return new RegExp(pattern, 'iu').test(text)
}

/** A string of the JSON body, or a header, is the value and nothing else. */
function isWholeString(value: string, text: string): boolean {
  return new RegExp(`:\\s*"${literal(escaped(value))}"|^[\\w-]+: ${literal(value)}$`, 'm').test(
    text,
  )
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
