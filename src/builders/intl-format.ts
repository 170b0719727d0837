import { throwInvalidArgument } from './invalid-argument.ts'

/**
 * The maximum number of cached formats. Without it, locales from requests could
 * fill the memory.
 */
const MAX_FORMATS = 32

/** Creating a format costs 50 to 200 µs, which is more than the rest of a response. */
const formats = /* @__PURE__ */ new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

/** The calling function and the path of its locale, for the error about an invalid one. */
export interface LocaleSource {
  readonly builder: Function
  readonly name: string
  readonly path: string
}

/** Returns a number format in the given locale; English if it is unknown, never the machine's. */
export function numberFormat(
  source: LocaleSource,
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  return reuseFormat('n', source, locale, options, (tags) => new Intl.NumberFormat(tags, options))
}

/** Returns a date format in the given locale; English if it is unknown, never the machine's. */
export function dateFormat(
  source: LocaleSource,
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  return reuseFormat('d', source, locale, options, (tags) => new Intl.DateTimeFormat(tags, options))
}

function reuseFormat<F extends Intl.NumberFormat | Intl.DateTimeFormat>(
  kind: 'n' | 'd',
  source: LocaleSource,
  locale: string | undefined,
  options: object,
  create: (tags: string[]) => F,
): F {
  const key = `${kind}${locale}${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known as F
  const format = create(toLocales(source, locale))
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(key, format)
  return format
}

/** `Intl` falls back to the machine's locale; the second tag makes that English. */
function toLocales({ builder, name, path }: LocaleSource, locale = 'en'): string[] {
  try {
    return [...Intl.getCanonicalLocales(locale), 'en']
  } catch {
    return throwInvalidArgument(builder, name, [
      {
        path,
        message: 'is not a language tag (BCP 47)',
        fix: "Use a tag such as 'en' or 'de-AT'.",
      },
    ])
  }
}
