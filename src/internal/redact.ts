/** Replaces secret values in text that is about to be shown. */
export type Redact = (text: string) => string

const HIDDEN = '[hidden]'

/**
 * Makes a function that hides the given values, and what follows the scheme of
 * an `Authorization` value. A value under six characters is hidden only where
 * it stands as a word of its own, since it is part of too many words.
 */
export function redactor(values: Iterable<string>): Redact {
  const secrets = new Set<string>()
  for (const value of values) {
    secrets.add(value.trim())
    secrets.add(value.trim().replace(/^\w+\s+/, ''))
  }
  secrets.delete('')
  const patterns = [...secrets]
    .sort((left, right) => right.length - left.length)
    .map((secret) => {
      const literal = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
      const bounded = `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`
      return new RegExp(secret.length < 6 ? bounded : literal, 'gu')
    })
  return (text) => patterns.reduce((shown, pattern) => shown.replace(pattern, HIDDEN), text)
}
