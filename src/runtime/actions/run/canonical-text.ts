/**
 * Returns a text that is equal for equal values, whatever the order of their
 * properties. An absent property is the same as `undefined`, but not as `null`.
 *
 * @throws {TypeError} for a value that has no such text, such as a `Map` or an instance of a class
 */
export function toCanonicalText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol' || typeof value === 'function') throw noText()
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, toCanonicalText).join()}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toCanonicalText(value.toJSON())
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) throw noText()
  const properties = Object.entries(value).filter(([, property]) => property !== undefined)
  const texts = properties
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, property]) => `${JSON.stringify(name)}:${toCanonicalText(property)}`)
  return `{${texts.join()}}`
}

function noText(): TypeError {
  return new TypeError('no canonical text')
}
