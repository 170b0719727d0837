import { mapSecret } from '../service/credentials.ts'
import type { AuthFacts } from './probe.ts'

/** A variant of the custom headers that an unauthenticated caller could send. */
export interface AuthVariant extends AuthFacts {
  readonly headers: Readonly<Record<string, string>>
}

type Headers = Readonly<Record<string, string>>

/**
 * Creates variants without credentials: without all of them, without each one,
 * and with empty values.
 */
export function missingVariants(
  headers: Headers,
  credentials: readonly string[],
): readonly AuthVariant[] {
  const without = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
  const empty = Object.fromEntries(credentials.map((name) => [name, '']))
  const each = credentials.length < 2 ? [] : credentials
  return [
    missing('without the headers', without(credentials)),
    missing('with empty headers', { ...headers, ...empty }),
    ...each.map((name) => ({
      ...missing(`without the header ${name}`, without([name])),
      kind: 'single' as const,
      omitted: name,
    })),
  ]
}

function missing(description: string, headers: Headers): AuthVariant {
  return { description, kind: 'missing', headers, values: [] }
}

/**
 * Creates variants with a wrong secret. Some of them pass a careless comparison:
 * a prefix, an appended character, another letter case, surrounding whitespace.
 */
export function wrongVariants(
  headers: Headers,
  names: readonly string[],
  random: () => string,
): readonly AuthVariant[] {
  const several = Object.keys(headers).length > 1 && names.length === 1
  const suffix = several ? ` for ${names[0]}` : ''
  const changes = [
    ['wrong', 'with a wrong value', () => random()],
    ['wrong', 'with an appended character', (secret: string) => `${secret}x`],
    ['wrong', 'without the last character', (secret: string) => secret.slice(0, -1)],
    ['wrong', 'in another letter case', swapCase],
    ['blanks', 'with surrounding whitespace', surround('\u00A0')],
    ['blanks', 'with surrounding whitespace in UTF-8', surround('\u00C2\u00A0')],
  ] as const
  return changes.flatMap(([kind, description, change]) => {
    // The cookie specification lets servers trim cookie values.
    if (kind === 'blanks' && names.some((name) => name.toLowerCase() === 'cookie')) return []
    const entries = names.map((name) => {
      const value = headers[name] ?? ''
      return { name, value, changed: mapSecret(name, value, change) }
    })
    if (entries.some(({ value, changed }) => changed === value || changed === '')) return []
    return [
      {
        description: `${description}${suffix}`,
        kind,
        headers: {
          ...headers,
          ...Object.fromEntries(entries.map(({ name, changed }) => [name, changed])),
        },
        values: entries.map(({ changed }) => changed),
      },
    ]
  })
}

/** Surrounds a secret with no-break spaces, because HTTP removes ordinary blanks around a value. */
function surround(blank: string): (secret: string) => string {
  return (secret) => `${blank}${secret}${blank}`
}

function swapCase(secret: string): string {
  return Array.from(secret, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('')
}
