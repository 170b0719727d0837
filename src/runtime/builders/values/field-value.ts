import { type Kind, string } from '../../internal/read-options.ts'

/** A value that `fields()` can show. `null`, `undefined` and blank strings are dropped. */
export type FieldValue = string | number | bigint | boolean | Date | URL | null | undefined

/** Pairs of labels and values: they keep their order, even with numeric labels. */
export type FieldPairs = ReadonlyArray<readonly [label: string, value: FieldValue]>

/**
 * A record whose values `fields()` can show, or pairs. A property of another
 * type maps to the sentence that the compiler then prints. To the compiler,
 * `rows.map((row) => [row.label, row.value])` is a list of arrays of any length, so `fields()`
 * checks the pairs again.
 */
export type FieldsInput<R> = R extends readonly unknown[]
  ? FieldPairs | ReadonlyArray<readonly FieldValue[]>
  : {
      readonly [K in keyof R]: R[K] extends FieldValue
        ? R[K]
        : 'fields() shows strings, numbers, bigints, booleans, Dates and URLs. Convert this value.'
    }

/** Options of `fields()`. */
export interface FieldsOptions {
  /**
   * A BCP 47 tag for numbers.
   * @default 'en'
   */
  readonly locale?: string | undefined
  /**
   * The IANA time zone, such as `Europe/Berlin`, whose offset is used for a `Date`.
   * @default 'UTC'
   */
  readonly timeZone?: string | undefined
}

/** The kinds of the options. Only `Intl` knows whether a tag or a zone exists. */
export const FIELDS_OPTIONS = {
  locale: { ...string, expected: "a language tag (BCP 47), such as 'de-AT'" },
  timeZone: {
    ...string,
    expected:
      "an IANA time zone, such as 'America/New_York' for Eastern Time, or undefined if it is not known",
  },
} satisfies Record<keyof FieldsOptions, Kind<string>>
