/** The kinds of values that are replaced. */
export type ReplacedKind = 'emails' | 'ids' | 'names' | 'phones'

/** The number of distinct values that were replaced, by kind. */
export type Replaced = Readonly<Record<ReplacedKind, number>>

/** Creates placeholders. The same value always gets the same placeholder. */
export interface Placeholders {
  email(address: string): string
  /**
   * Returns a UUID for a UUID and digits for digits. Other values become the
   * prefix and a number.
   */
  id(value: string, prefix: string): string
  name(word: string): string
  phone(number: string): string
  readonly replaced: Replaced
}

const NAMES =
  'Alex Blake Casey Drew Ellis Frankie Harper Indigo Jules Kai Logan Morgan Noor Oakley Parker Quinn Robin Sage Taylor Winter'.split(
    ' ',
  )

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Creates numbered placeholders, so that the same response always results in the
 * same recording.
 */
export function createPlaceholders(): Placeholders {
  const assigned = new Map<string, string>()
  const counters = new Map<string, number>()
  const replaced = { emails: 0, ids: 0, names: 0, phones: 0 }

  const next = (series: string) => {
    const count = (counters.get(series) ?? 0) + 1
    counters.set(series, count)
    return count
  }
  const placeholderFor = (kind: ReplacedKind, key: string, make: () => string) => {
    const known = assigned.get(`${kind} ${key}`)
    if (known !== undefined) return known
    const made = make()
    assigned.set(`${kind} ${key}`, made)
    replaced[kind] += 1
    return made
  }

  return {
    replaced,
    email: (address) =>
      placeholderFor(
        'emails',
        address.toLowerCase(),
        () => `person${String(next('person'))}@example.com`,
      ),
    id: (value, prefix) =>
      placeholderFor('ids', value, () => placeholderInSameFormat(value, prefix, next)),
    phone: (number) =>
      placeholderFor('phones', number.replaceAll(/\D/g, ''), () => {
        return `+1 555 ${String(99 + next('phone')).padStart(4, '0')}`
      }),
    name: (word) => {
      const made = placeholderFor('names', word.toLowerCase(), () => placeholderName(next('name')))
      return word === word.toLowerCase() && word !== word.toUpperCase() ? made.toLowerCase() : made
    },
  }
}

function placeholderInSameFormat(
  value: string,
  prefix: string,
  next: (series: string) => number,
): string {
  if (UUID.test(value)) return `00000000-0000-4000-8000-${String(next('uuid')).padStart(12, '0')}`
  if (/^\d+$/.test(value)) return String(100_000 + next('digits'))
  return `${prefix}${next(prefix)}`
}

function placeholderName(count: number): string {
  const round = Math.floor((count - 1) / NAMES.length)
  const name = NAMES[(count - 1) % NAMES.length] ?? ''
  return round === 0 ? name : `${name}${round + 1}`
}
