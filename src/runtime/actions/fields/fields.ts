import { calendarDate } from '../../builders/values/calendar-date.ts'
import { callUserCode } from '../../internal/user-code.ts'
import { closestMatch } from '../../internal/closest-match.ts'
import {
  flag,
  hasMethods,
  integer,
  invalidOption,
  isRecord,
  kind,
  readOptions,
  required,
  string,
  text,
  withDefault,
} from '../../internal/read-options.ts'
import type { ActionMessages } from '../messages.ts'

/** The value of a field, or a message for the agent if it is invalid. */
export type FieldResult<V> = { readonly value: V } | { readonly problem: string }

/** How the page shows a field. */
export interface FieldView {
  readonly control: 'text' | 'multiline' | 'decimal' | 'date' | 'checkbox' | 'select'
  readonly label: string
  readonly hint: string | undefined
  readonly optional: boolean
  /** The text that a browser would send; `on` for a checked box. */
  readonly initial: string
  readonly maxLength?: number | undefined
  /** The limits of a date. */
  readonly min?: string | undefined
  readonly max?: string | undefined
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
  /** Writes a value for the review. @internal */
  format(this: void, value: unknown, messages: ActionMessages): string
}

/** The fields of a form by name. */
export type Form = Readonly<Record<string, Field<unknown>>>

/** Returns whether a value is a form. */
export function isForm(value: unknown): value is Form {
  return (
    isRecord(value) &&
    Object.entries(value).every(([name, field]) => /^\w+$/.test(name) && hasMethods(field, 'read'))
  )
}

/** The values of a form. */
export type FormValues<F> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never
}

/** The options of every field. */
export interface CommonOptions {
  /** The label of the field. */
  readonly label: string
  /** The text below the field. */
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

/** Options of `dateField()`. Dates are strings such as `2027-01-31`. */
export interface DateFieldOptions extends CommonOptions {
  /** The earliest date. */
  readonly min?: string | undefined
  /** The latest date. */
  readonly max?: string | undefined
  /** The initial date. */
  readonly value?: string | undefined
}

/** Options of `checkboxField()`. */
export interface CheckboxFieldOptions extends Omit<CommonOptions, 'optional'> {
  /** Whether the agent must check the box. @default false */
  readonly required?: boolean | undefined
  /** Whether the box is checked initially. @default false */
  readonly value?: boolean | undefined
}

/** Options of `selectField()`. */
export interface SelectFieldOptions<Choice extends string> extends CommonOptions {
  /** The text that the agent sees for each value. */
  readonly options: { readonly [Value in Choice]: string }
  /** The initial choice. */
  readonly value?: NoInfer<Choice> | undefined
}

/** The type of a field's value: an optional field can be empty. */
export type Optional<V, O> = O extends { readonly optional: true } ? V | undefined : V

/** The kinds of the options of every field. */
export const COMMON = { label: required(text), hint: text, optional: withDefault(flag, false) }

type ReadCommon = Pick<FieldView, 'label' | 'hint' | 'optional'>

/**
 * Creates a field that may be empty if it is optional.
 *
 * @param read reads a non-empty text, without surrounding spaces
 * @param format writes a value for people
 */
export function createField<V, O>(
  { label, hint, optional }: ReadCommon,
  view: Omit<FieldView, 'label' | 'hint' | 'optional'>,
  read: (entered: string, messages: ActionMessages) => FieldResult<V>,
  format: (value: V, messages: ActionMessages) => string = String,
): Field<Optional<V, O>> {
  const field: Field<V | undefined> = {
    view: { label, hint, optional, ...view },
    read(entered, messages) {
      const found = entered.trim()
      if (found !== '') return read(found, messages)
      return optional ? { value: undefined } : { problem: messages.missingValue }
    },
    format: (value, messages) => callUserCode(() => format(value as V, messages)) ?? String(value),
  }
  // The compiler cannot see that only an optional field has an absent value.
  return field as Field<Optional<V, O>>
}

type Limit = bigint | number | string

/** @throws {SidecardError} `invalid_options` if nothing is between two limits */
export function checkRange<V extends Limit>(caller: string, min?: V, max?: V): void {
  if (isOutside(max, min)) throw invalidOption(caller, 'max', 'at least min')
}

/** Returns whether a value is below or above a limit. */
export function isOutside<V extends Limit>(value?: V, min?: V, max?: V): boolean {
  if (value === undefined) return false
  return (min !== undefined && value < min) || (max !== undefined && value > max)
}

const MAX_TEXT = 10_000

/**
 * Creates a text field. Surrounding spaces are removed from the value.
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
  const read = readOptions('textField', options as TextFieldOptions, {
    ...COMMON,
    maxLength: withDefault(integer(1, MAX_TEXT), 1_000),
    multiline: withDefault(flag, false),
    value: withDefault(string, ''),
  })
  const { maxLength, multiline } = read
  const control = multiline ? 'multiline' : 'text'
  return createField(read, { control, initial: read.value, maxLength }, (entered, messages) => {
    // Browsers send line breaks as CRLF, which would count as two characters.
    const value = entered.replaceAll(multiline ? /\r\n?/g : /\s+/g, multiline ? '\n' : ' ')
    return value.length > maxLength ? { problem: messages.tooLong(maxLength) } : { value }
  })
}

/**
 * Creates a field for a date without a time. Its value is a string such as
 * `2027-01-31`.
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
  const kinds = { ...COMMON, min: DATE, max: DATE, value: DATE }
  const read = readOptions('dateField', options as DateFieldOptions, kinds)
  const { min, max, value: initial = '' } = read
  checkRange('dateField', min, max)
  return createField(
    read,
    { control: 'date', initial, min, max },
    (value, messages) => {
      if (!isDate(value)) return { problem: messages.notADate }
      return isOutside(value, min, max) ? { problem: messages.outOfRange(min, max) } : { value }
    },
    (value, { lang }) => calendarDate(value, lang),
  )
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  // `Date` turns February 30 into a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

const DATE = kind<string>("a date such as '2027-01-31'", isDate)

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
  const read = readOptions('checkboxField', options, {
    label: COMMON.label,
    hint: COMMON.hint,
    required: withDefault(flag, false),
    value: withDefault(flag, false),
  })
  const common = { label: read.label, hint: read.hint, optional: !read.required }
  const initial = read.value ? 'on' : ''
  return {
    view: { control: 'checkbox', ...common, initial },
    read: (entered, messages) =>
      entered === '' && read.required
        ? { problem: messages.notChecked }
        : { value: entered !== '' },
    format: (value, { yes, no }) => (value === true ? yes : no),
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
  const read = readOptions('selectField', options as SelectFieldOptions<string>, kinds)
  const choices = Object.entries(read.options)
  const names = choices.map(([name]) => name)
  const { value: initial = '' } = read
  if (initial !== '' && !names.includes(initial)) {
    const similar = closestMatch(initial, names)
    throw invalidOption('selectField', 'value', similar ? `"${similar}"` : 'one of the options')
  }
  return createField(
    read,
    { control: 'select', initial, choices },
    (entered, messages) => {
      const value = names.find((name) => name.trim() === entered)
      return value === undefined ? { problem: messages.notAChoice } : { value: value as Choice }
    },
    (value) => read.options[value] ?? value,
  )
}

const CHOICES = kind<Readonly<Record<string, string>>>(
  'an object with at least one value and its text',
  (value) =>
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([name, label]) => name.trim() !== '' && typeof label === 'string'),
)
