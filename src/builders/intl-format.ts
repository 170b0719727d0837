/**
 * The maximum number of cached formats of each kind. Locales can come from
 * requests, and a date format takes about 20 kB. An app with 30 locales needs
 * fewer than 200 formats.
 */
const MAX_FORMATS = 400

/** A longer key is not cached, because only a malicious request has such a locale. */
const MAX_KEY_LENGTH = 100

// Creating a format costs 20 to 160 µs, which is more than the rest of a response.
const numberFormats = /* @__PURE__ */ new Map<string, Intl.NumberFormat>()
const dateFormats = /* @__PURE__ */ new Map<string, Intl.DateTimeFormat>()

/** The message and the fix for an invalid locale. */
export const LOCALE_PROBLEM = [
  'is not a language tag (BCP 47)',
  "Use a tag such as 'en' or 'de-AT'.",
] as const

/**
 * Returns a number format in a locale; the fallback is English, never the
 * machine's locale. Returns `undefined` if the tag or an option is invalid.
 *
 * @param key a short name of the options, unique among number formats
 */
export function numberFormat(
  locale: unknown,
  key: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat | undefined {
  return reuse(numberFormats, locale, key, (tags) => new Intl.NumberFormat(tags, options))
}

/**
 * Returns a date format, which is cached like a number format.
 *
 * @param key a short name of the options, unique among date formats
 */
export function dateFormat(
  locale: unknown,
  key: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat | undefined {
  return reuse(dateFormats, locale, key, (tags) => new Intl.DateTimeFormat(tags, options))
}

function reuse<F>(
  formats: Map<string, F>,
  locale: unknown,
  optionsKey: string,
  create: (tags: string[]) => F,
): F | undefined {
  if (typeof locale !== 'string') return undefined
  const key = `${optionsKey} ${locale}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = createFormat(locale, create)
  if (format === undefined || key.length > MAX_KEY_LENGTH) return format
  // Only one is removed, so that an app with one format too many does not create all of them again.
  if (formats.size >= MAX_FORMATS) formats.delete(formats.keys().next().value!)
  formats.set(key, format)
  return format
}

function createFormat<F>(locale: string, create: (tags: string[]) => F): F | undefined {
  try {
    // Without the second tag, Intl would fall back to the machine's locale.
    return create([...Intl.getCanonicalLocales(locale), 'en'])
  } catch {
    return undefined
  }
}
