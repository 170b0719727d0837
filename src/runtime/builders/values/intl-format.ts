/**
 * The maximum number of cached formats of each kind. Locales can come from
 * requests, and a date format takes about 20 kB. An app with 30 locales needs
 * fewer than 200 formats.
 */
const MAX_FORMATS = 400

/** A longer key is not cached, because only a malicious request has such a locale. */
const MAX_KEY_LENGTH = 100

/** The message and the fix for an invalid locale. */
export const LOCALE_PROBLEM = [
  'is not a language tag (BCP 47)',
  "Use a tag such as 'en' or 'de-AT'.",
] as const

/**
 * Returns a format in a locale. The fallback is English, never the machine's
 * locale. Returns `undefined` if the tag or an option is invalid.
 *
 * @param key a short name of the options, unique among the formats of one kind
 */
type GetFormat<Format, Options> = (
  locale: unknown,
  key: string,
  options: Options,
) => Format | undefined

/** Returns a number format. */
export const numberFormat = /* @__PURE__ */ cacheFormats(Intl.NumberFormat)

/** Returns a date format. */
export const dateFormat = /* @__PURE__ */ cacheFormats(Intl.DateTimeFormat)

/** Caches formats: creating one costs 20 to 160 µs, which is more than the rest of a response. */
function cacheFormats<Format, Options>(
  Kind: new (tags: string[], options: Options) => Format,
): GetFormat<Format, Options> {
  const formats = new Map<string, Format>()
  return (locale, optionsKey, options) => {
    if (typeof locale !== 'string') return undefined
    const key = `${optionsKey} ${locale}`
    const known = formats.get(key)
    if (known !== undefined) return known
    try {
      // Without the second tag, Intl would fall back to the machine's locale.
      const format = new Kind([...Intl.getCanonicalLocales(locale), 'en'], options)
      if (key.length > MAX_KEY_LENGTH) return format
      // Only one is removed, so that an app with one format too many does not create all of them
      // again.
      if (formats.size >= MAX_FORMATS) formats.delete(formats.keys().next().value!)
      formats.set(key, format)
      return format
    } catch {
      return undefined
    }
  }
}
