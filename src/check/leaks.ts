import type { Exchange } from '../desk/exchange.ts'

/** Names of headers that carry a secret. */
const SECRET_NAME = /auth|key|secret|token|pass|sign|credential|cookie|session|jwt|bearer/i

/** Headers that say how to answer; their values turn up in answers by right. */
const ORDINARY_NAME =
  /^(?:accept(?:-.*)?|content-.*|user-agent|host|origin|referer|cache-control|traceparent)$/i

/** Everything of an answer that a reader may see, in one string. */
export function visibleText({ response }: Exchange): string {
  if (response === undefined) return ''
  const body = response.text ?? new TextDecoder('latin1').decode(response.body)
  return `${Object.values(response.headers).join('\n')}\n${body}`
}

/**
 * Tells whether an answer shows the value of a custom header. A header is taken
 * for a secret when its name says so or its value looks random; a short value
 * counts only where it stands alone, as `k` is part of most words.
 */
export function showsHeader(name: string, value: string, exchange: Exchange): boolean {
  const secret = value.trim().replace(/^(?:bearer|basic|token)\s+/i, '')
  if (secret === '' || ORDINARY_NAME.test(name)) return false
  const looksRandom = secret.length >= 16 && /\d/.test(secret) && /[a-z]/i.test(secret)
  if (!SECRET_NAME.test(name) && !looksRandom) return false
  const text = visibleText(exchange)
  if (secret.length >= 8) return text.includes(secret) || text.includes(escaped(secret))
  if (secret.length >= 4) return standsAlone(secret, text)
  return standsAfterName(name, secret, text) || isWholeString(secret, exchange)
}

/** As a JSON string writes it. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function standsAlone(word: string, text: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal(word)}(?![\\p{L}\\p{N}])`, 'u').test(text)
}

/** `x-key: k`, `"x-key":"k"`, `key=k`. */
function standsAfterName(name: string, value: string, text: string): boolean {
  const last = name.split(/[-_]/).at(-1) ?? name
  const pattern = `(?:${literal(name)}|\\b${literal(last)})["'\\\\]*\\s*(?:[:=]|is)\\s*["'\\\\]*${literal(value)}(?![\\p{L}\\p{N}])`
  return new RegExp(pattern, 'iu').test(text)
}

/** A string of the JSON body is the value and nothing else. */
function isWholeString(value: string, { response }: Exchange): boolean {
  return new RegExp(`:\\s*"${literal(escaped(value))}"`).test(response?.text ?? '')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
