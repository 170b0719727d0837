import { closestMatch } from './closest-match.ts'
import { SidecardError } from './errors.ts'
import { isArray, isThenable, readProperty } from './hostile-values.ts'
import { consumeRejections } from './user-code.ts'

/**
 * The reader of all options. A function describes each of its options with a
 * {@link Kind}, so that the same mistake has the same message everywhere.
 */

/** The values that an option accepts. `V` is their type. */
export interface Kind<out V> {
  /** Completes the sentence "x must be …". */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  /** Converts an accepted value to the form that the code uses. */
  readonly convert?: (value: never) => unknown
  /** Exists only as a type. */
  readonly type?: V | undefined
}

export interface RequiredKind<out V> extends Kind<V> {
  readonly isRequired: true
}

export interface KindWithDefault<out V> extends Kind<V> {
  readonly fallback: V
}

/** A kind for each option. A missing or unknown kind does not compile. */
type KindsOf<O> = { readonly [Name in keyof O]-?: Kind<Exclude<O[Name], undefined>> }

export interface ConvertedKind<out V, out Read> extends Kind<V> {
  readonly convert: (value: never) => Read
}

type ReadValue<V, K> = K extends ConvertedKind<unknown, infer Read> ? Read : Exclude<V, undefined>

/** The options after reading: `undefined` only where there is no default. */
export type ReadOptions<O, K> = {
  readonly [Name in keyof O]-?: Name extends keyof K
    ?
        | ReadValue<O[Name], K[Name]>
        | (K[Name] extends RequiredKind<unknown> | KindWithDefault<unknown> ? never : undefined)
    : never
}

/** The maximum delay of a timer on every runtime. A longer delay would fire immediately. */
export const MAX_TIMEOUT_MS = 2_147_483_647

/** Creates a kind from a test. `expected` completes the sentence "x must be …". */
// oxlint-disable-next-line typescript/no-explicit-any -- `accepts` says nothing about the type
export function kind<V = any>(expected: string, accepts: (value: unknown) => boolean): Kind<V> {
  return { expected, accepts }
}

/** Returns the kind of a required option. */
export function required<V>(of: Kind<V>): RequiredKind<V> {
  return { ...of, isRequired: true }
}

/** Returns the kind of an option with a default. */
export function withDefault<V, K extends Kind<V> = Kind<V>>(
  of: K & Kind<V>,
  fallback: V,
): K & { readonly fallback: V } {
  return { ...of, fallback }
}

/**
 * Creates the kind of a whole number in a range. Without a maximum (`Infinity`),
 * the minimum is 1.
 */
export function integer(min: number, max: number, unit = ''): Kind<number> {
  const range = max === Infinity ? 'a positive integer' : `an integer from ${min} to ${max}`
  return kind(
    range + unit,
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  )
}

/** Creates the kind of a duration in whole milliseconds, up to the maximum delay of a timer. */
export function milliseconds(min = 1, max = MAX_TIMEOUT_MS): Kind<number> {
  return integer(min, max, ' (milliseconds)')
}

/** Creates the kind of one of several values. */
export function oneOf<const V extends string>(...values: readonly V[]): Kind<V> {
  const names = values.map((value) => `'${value}'`)
  const expected = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return kind(expected, (value) => values.includes(value as V))
}

/** Creates the kind of an array. `expected` names the values: `an array of domains`. */
// oxlint-disable-next-line typescript/no-explicit-any -- `accepts` says nothing about the type
export function listOf<V = any>(expected: string, accepts: (item: unknown) => boolean): Kind<V[]> {
  return kind(expected, (value) => isArray(value) && value.every(accepts))
}

/**
 * Returns whether a value is an object or a function with these methods. The stub
 * of a remote service is a function.
 */
export function hasMethods(value: unknown, ...names: readonly string[]): value is object {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}

/**
 * Returns whether a value is an object with own properties to read: not an array,
 * a Map, a `Headers` or `URLSearchParams` object, or a promise.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || isThenable(value)) return false
  return typeof readProperty(value, Symbol.iterator) !== 'function'
}

// The annotations let bundlers remove the kinds that an app does not use.

export const string: Kind<string> = /* @__PURE__ */ kind(
  'a string',
  (value) => typeof value === 'string',
)
export const number: Kind<number> = /* @__PURE__ */ kind('a number', Number.isFinite)
export const text: Kind<string> = /* @__PURE__ */ kind(
  'a non-empty string',
  (value) => typeof value === 'string' && value.trim() !== '',
)
export const flag: Kind<boolean> = /* @__PURE__ */ kind(
  'true or false',
  (value) => typeof value === 'boolean',
)
export const func = /* @__PURE__ */ kind('a function', (value) => typeof value === 'function')
export const record = /* @__PURE__ */ kind('an object', isRecord)
/** Any value that does not have to be awaited. */
export const anything = /* @__PURE__ */ kind('a value', (value) => !isThenable(value))
export const strings: Kind<readonly string[]> = /* @__PURE__ */ listOf(
  'an array of strings',
  (item) => typeof item === 'string',
)
/** An object such as the headers of a request. */
export const stringRecord: Kind<Readonly<Record<string, string>>> = /* @__PURE__ */ kind(
  'an object of strings',
  (value) => isRecord(value) && Object.values(value).every((item) => typeof item === 'string'),
)

/** The headers of a request, as users pass them. */
export type HeadersOption = Readonly<Record<string, string>> | Headers

/** The headers of a request. They are read as an object of strings. */
export const headerRecord: ConvertedKind<HeadersOption, Readonly<Record<string, string>>> = {
  expected: 'an object of strings, or Headers',
  accepts: (value) => isHeaders(value) || stringRecord.accepts(value),
  convert: (headers: HeadersOption) => (isHeaders(headers) ? Object.fromEntries(headers) : headers),
}

/** Returns whether a value is a `Headers` object, even of another realm. */
function isHeaders(value: unknown): value is Headers {
  return readProperty(value, Symbol.toStringTag) === 'Headers'
}

/**
 * Reads options: throws unless all of them are known and valid, and applies the
 * defaults. An option that is `undefined` counts as absent. A message never
 * contains a value.
 *
 * @param caller the public name of the function, for messages
 * @param path the path of these options, such as `limits.`
 * @throws {SidecardError} `invalid_options` with the option and what is expected
 */
export function readOptions<O extends object, const K extends KindsOf<O>>(
  caller: string,
  options: O,
  kinds: K & { readonly [Name in Exclude<keyof K, keyof O>]: never },
  path = '',
): ReadOptions<O, K> {
  if (!isRecord(options)) {
    const name = path === '' ? 'the options argument' : path.slice(0, -1)
    throw invalidOption(caller, name, record.expected, options)
  }
  const known = Object.keys(kinds)
  const unknown = findUnknownName('option', options, known, path)
  if (unknown !== undefined) throw new SidecardError('invalid_options', `${caller}: ${unknown}`)
  const read: Record<string, unknown> = {}
  for (const name of known) {
    const of = (kinds as Readonly<Record<string, Kind<unknown>>>)[name]!
    const value = options[name]
    if (value === undefined && !('isRequired' in of)) {
      read[name] = 'fallback' in of ? of.fallback : undefined
    } else if (of.accepts(value)) read[name] = of.convert?.(value as never) ?? value
    else throw invalidOption(caller, path + name, of.expected, value)
  }
  return read as ReadOptions<O, K>
}

/**
 * Creates the error of an invalid option or argument.
 *
 * @param expected completes the sentence "x must be …"
 */
export function invalidOption(
  caller: string,
  name: string,
  expected: string,
  value?: unknown,
): SidecardError {
  const isPromise = isThenable(value)
  if (isPromise) consumeRejections(value)
  const problem = isPromise ? 'is a promise: await it' : `must be ${expected}`
  return new SidecardError('invalid_options', `${caller}: ${name} ${problem}.`)
}

/**
 * Describes the first unknown name of an object, with the fix. Returns `undefined`
 * if all names are known.
 *
 * @param path the path of the object, such as `limits.`
 */
export function findUnknownName(
  what: string,
  object: object,
  known: readonly string[],
  path = '',
): string | undefined {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const suggestion =
    closestMatch(unknown, known) ??
    // The spelling check misses a name without its unit, such as `timeout`.
    known.find((name) => unknown !== '' && name.startsWith(unknown))
  const hint =
    suggestion === undefined
      ? `The ${what}s are ${known.join(', ')}.`
      : `Did you mean ${suggestion}?`
  return `there is no ${what} ${JSON.stringify(path + unknown.slice(0, 64))}. ${hint}`
}
