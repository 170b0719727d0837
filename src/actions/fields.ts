import { closestMatch } from '../internal/closest-match.ts'
import {
  flag,
  integer,
  invalidOption,
  isRecord,
  kind,
  type Kind,
  readOptions,
  required,
  string,
  text,
} from '../internal/read-options.ts'
import type { ActionMessages } from './messages.ts'

/** The value of a field, or what is wrong with it, for the agent. */
export type FieldResult<V> = { readonly value: V } | { readonly problem: string }

/** How the page shows a field. */
export interface FieldView {
  readonly control: 'text' | 'multiline' | 'number' | 'date' | 'checkbox' | 'select'
  readonly label: string
  readonly hint: string | undefined
  readonly optional: boolean
  /** What a browser would send; `on` for a ticked checkbox. */
  readonly initial: string
  readonly maxLength?: number | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly step?: string | undefined
  /** The values of a select and their labels. */
  readonly choices?: ReadonlyArray<readonly [value: string, label: string]> | undefined
}

/**
 * A field of an action's form. Create it with `textField()`, `numberField()`, `moneyField()`,
 * `dateField()`, `checkboxField()` or `selectField()`.
 */
export interface Field<out V> {
  /** @internal */
  readonly view: FieldView
  /** Reads what the agent entered. @internal */
  read(this: void, entered: string, messages: ActionMessages): FieldResult<V>
}

/** The fields of a form by name. */
export type Form = Readonly<Record<string, Field<unknown>>>

/** The values of a form. */
export type FormValues<F> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never
}

/** The options of every field. */
export interface CommonOptions {
  /** The label of the field. */
  readonly label: string
  /** A text below the field. */
  readonly hint?: string | undefined
  /** Whether the agent may leave the field empty. @default false */
  readonly optional?: boolean | undefined
}

/** Options of `textField()`. */
export interface TextFieldOptions extends CommonOptions {
  /** The maximum length in UTF-16 units, from 1 to 10,000. @default 1000 */
  readonly maxLength?: number | undefined
  /** Whether the text may have several lines. @default false */
  readonly multiline?: boolean | undefined
  /** The initial text. @default '' */
  readonly value?: string | undefined
}

/** Options of `dateField()`. The dates are texts such as `2027-01-31`. */
export interface DateFieldOptions extends CommonOptions {
  /** The first date. */
  readonly min?: string | undefined
  /** The last date. */
  readonly max?: string | undefined
  /** The initial date. */
  readonly value?: string | undefined
}

/** Options of `checkboxField()`. */
export interface CheckboxFieldOptions extends Omit<CommonOptions, 'optional'> {
  /** Whether the agent must tick it. @default false */
  readonly required?: boolean | undefined
  /** Whether it is ticked at first. @default false */
  readonly value?: boolean | undefined
}

/** Options of `selectField()`. */
export interface SelectFieldOptions<Choice extends string> extends CommonOptions {
  /** The choices: each value, and the text that the agent sees. */
  readonly options: { readonly [Value in Choice]: string }
  /** The initial choice. */
  readonly value?: NoInfer<Choice> | undefined
}

/** The value of a field: an optional one can be empty. */
export type Optional<V, O> = O extends { readonly optional: true } ? V | undefined : V

/** The kinds of the options of every field. */
export const COMMON = { label: required(text), hint: text, optional: flag }
const MAX_TEXT = 10_000

/**
 * Creates a text field. Spaces around it are removed.
 *
 * @example
 * form: { reason: textField({ label: 'Reason', maxLength: 500, multiline: true }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function textField<const O extends TextFieldOptions>(
  options: O & TextFieldOptions,
): Field<Optional<string, O>> {
  const read = readOptions<TextFieldOptions, TextKinds>('textField', options, TEXT_KINDS)
  const { label, hint, optional = false, maxLength = 1_000, multiline = false, value = '' } = read
  const control = multiline ? 'multiline' : 'text'
  return {
    view: { control, label, hint, optional, initial: value, maxLength },
    read(entered, messages): FieldResult<Optional<string, O>> {
      // Browsers send line breaks as CRLF.
      const lines = entered.replaceAll(/\r\n?/g, '\n').trim()
      const found = multiline ? lines : lines.replaceAll(/\s+/g, ' ')
      if (found === '') return readEmpty(optional, messages)
      if (found.length > maxLength) return { problem: messages.tooLong(maxLength) }
      return { value: found }
    },
  }
}

const TEXT_KINDS = {
  ...COMMON,
  maxLength: integer(1, MAX_TEXT),
  multiline: flag,
  value: string,
}
type TextKinds = typeof TEXT_KINDS

/**
 * Creates a field for a date without a time. Its value is a text such as `2027-01-31`.
 *
 * @example
 * form: { due: dateField({ label: 'Due', min: '2027-01-01' }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function dateField<const O extends DateFieldOptions>(
  options: O & DateFieldOptions,
): Field<Optional<string, O>> {
  const read = readOptions<DateFieldOptions, DateKinds>('dateField', options, DATE_KINDS)
  const { label, hint, optional = false, min, max, value = '' } = read
  checkRange('dateField', min, max)
  return {
    view: { control: 'date', label, hint, optional, initial: value, min, max },
    read(entered, messages): FieldResult<Optional<string, O>> {
      const found = entered.trim()
      if (found === '') return readEmpty(optional, messages)
      if (!isDate(found)) return { problem: messages.notADate }
      if ((min !== undefined && found < min) || (max !== undefined && found > max)) {
        return { problem: messages.outOfRange(min, max) }
      }
      return { value: found }
    },
  }
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  // A day such as February 30 is a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const DATE = kind<string>("a date such as '2027-01-31'", isDate)
const DATE_KINDS = { ...COMMON, min: DATE, max: DATE, value: DATE }
type DateKinds = typeof DATE_KINDS

/**
 * Creates a checkbox. Its value is `true` or `false`.
 *
 * @example
 * form: { notify: checkboxField({ label: 'Notify the customer', value: true }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function checkboxField(options: CheckboxFieldOptions): Field<boolean> {
  const kinds = { label: COMMON.label, hint: text, required: flag, value: flag }
  const read = readOptions<CheckboxFieldOptions, typeof kinds>('checkboxField', options, kinds)
  const { label, hint, required: mustTick = false, value = false } = read
  return {
    view: { control: 'checkbox', label, hint, optional: !mustTick, initial: value ? 'on' : '' },
    read: (entered, messages) =>
      entered === '' && mustTick ? { problem: messages.notTicked } : { value: entered !== '' },
  }
}

/**
 * Creates a field with a list to choose from.
 *
 * @example
 * form: { plan: selectField({ label: 'Plan', options: { pro: 'Pro', team: 'Team' } }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function selectField<
  Choice extends string,
  const O extends SelectFieldOptions<Choice> = SelectFieldOptions<Choice>,
>(options: O & SelectFieldOptions<Choice>): Field<Optional<Choice, O>> {
  const kinds = { ...COMMON, options: required(CHOICES), value: string }
  const read = readOptions<SelectFieldOptions<string>, typeof kinds>('selectField', options, kinds)
  const { label, hint, optional = false, value } = read
  const choices = Object.entries(read.options as Readonly<Record<string, string>>)
  const names = choices.map(([name]) => name)
  if (value !== undefined && !names.includes(value)) {
    const similar = closestMatch(value, names)
    throw invalidOption('selectField', 'value', similar ? `"${similar}"` : 'one of the options')
  }
  return {
    view: { control: 'select', label, hint, optional, initial: value ?? '', choices },
    read(entered, messages): FieldResult<Optional<Choice, O>> {
      if (entered === '') return readEmpty(optional, messages)
      if (!names.includes(entered)) return { problem: messages.notAChoice }
      return { value: entered as Optional<Choice, O> }
    },
  }
}

const CHOICES: Kind<Readonly<Record<string, string>>> = kind(
  'an object with at least one value and its text',
  (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, label]) => name !== '' && typeof label === 'string'),
)

/** @throws {SidecardError} `invalid_options` if nothing is between two limits */
export function checkRange<V extends number | string>(
  caller: string,
  min: V | undefined,
  max: V | undefined,
): void {
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidOption(caller, 'max', 'at least min')
  }
}

/** Reads a field without a value. */
export function readEmpty<V>(optional: boolean, messages: ActionMessages): FieldResult<V> {
  // An optional field has the type of an absent value.
  return optional ? { value: undefined as V } : { problem: messages.missingValue }
}
