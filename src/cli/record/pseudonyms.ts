/** What a recording does not keep. */
export type ReplacedKind = 'emails' | 'ids' | 'names' | 'phones'

/** How many different values of each kind were replaced. */
export type Replaced = Readonly<Record<ReplacedKind, number>>

/** Stands in for values: the same value always gets the same stand-in. */
export interface Pseudonyms {
  email(address: string): string
  /** A UUID stays a UUID and digits stay digits; anything else becomes the prefix and a number. */
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

/** Makes stand-ins that count up, so that the same recording comes out the same each time. */
export function createPseudonyms(): Pseudonyms {
  const given = new Map<string, string>()
  const counters = new Map<string, number>()
  const replaced = { emails: 0, ids: 0, names: 0, phones: 0 }

  const next = (series: string) => {
    const count = (counters.get(series) ?? 0) + 1
    counters.set(series, count)
    return count
  }
  const standIn = (kind: ReplacedKind, key: string, make: () => string) => {
    const known = given.get(`${kind} ${key}`)
    if (known !== undefined) return known
    const made = make()
    given.set(`${kind} ${key}`, made)
    replaced[kind] += 1
    return made
  }

  return {
    replaced,
    email: (address) =>
      standIn('emails', address.toLowerCase(), () => `person${String(next('person'))}@example.com`),
    id: (value, prefix) => standIn('ids', value, () => shaped(value, prefix, next)),
    phone: (number) =>
      standIn('phones', number.replaceAll(/\D/g, ''), () => {
        return `+1 555 ${String(99 + next('phone')).padStart(4, '0')}`
      }),
    name: (word) => {
      const made = standIn('names', word.toLowerCase(), () => nameOf(next('name')))
      return word === word.toLowerCase() && word !== word.toUpperCase() ? made.toLowerCase() : made
    },
  }
}

function shaped(value: string, prefix: string, next: (series: string) => number): string {
  if (UUID.test(value)) return `00000000-0000-4000-8000-${String(next('uuid')).padStart(12, '0')}`
  if (/^\d+$/.test(value)) return String(100_000 + next('digits'))
  return `${prefix}${next(prefix)}`
}

function nameOf(count: number): string {
  const round = Math.floor((count - 1) / NAMES.length)
  const name = NAMES[(count - 1) % NAMES.length] ?? ''
  return round === 0 ? name : `${name}${round + 1}`
}
