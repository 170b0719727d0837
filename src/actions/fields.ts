import { closestMatch } from '../internal/closest-match.ts'
import {
  flag,
  integer,
  invalidOption,
  isRecord,
  kind,
  number,
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
  readonly control: 'text' | 'multiline' | 'number' | 'select'
  readonly label: string
  readonly optional: boolean
  readonly initial: string
  readonly maxLength?: number | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly step?: number | undefined
  /** The values of a select and their labels. */
  readonly choices?: ReadonlyArray<readonly [value: string, label: string]> | undefined
}

/**
 * A field of an action's form. Create it with `textField()`, `numberField()` or
 * `selectField()`.
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

interface CommonOptions {
  /** The label of the field. */
  readonly label: string
  /** Whether the agent may leave the field empty. @default false */
  readonly optional?: boolean | undefined
}

/** Options for `textField()`. */
export interface TextFieldOptions extends CommonOptions {
  /** The maximum length in UTF-16 units, from 1 to 10,000. @default 1000 */
  readonly maxLength?: number | undefined
  /** Whether the text may have several lines. @default false */
  readonly multiline?: boolean | undefined
  /** The initial text. @default '' */
  readonly value?: string | undefined
}

/** Options for `numberField()`. */
export interface NumberFieldOptions extends CommonOptions {
  /** The smallest number. */
  readonly min?: number | undefined
  /** The largest number. */
  readonly max?: number | undefined
  /** The distance between two allowed numbers, starting at `min` or 0. @default 1 */
  readonly step?: number | undefined
  /** The initial number. */
  readonly value?: number | undefined
}

/** Options for `selectField()`. */
export interface SelectFieldOptions<Choice extends string> extends CommonOptions {
  /** The choices: each value, and the text that the agent sees. */
  readonly options: { readonly [Value in Choice]: string }
  /** The initial choice. */
  readonly value?: NoInfer<Choice> | undefined
}

/** The value of a field: an optional one can be empty. */
type Optional<V, O> = O extends { readonly optional: true } ? V | undefined : V

const LABEL = required(text)
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
  const { label, optional = false, maxLength = 1_000, multiline = false, value = '' } = read
  return {
    view: { control: multiline ? 'multiline' : 'text', label, optional, initial: value, maxLength },
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
  label: LABEL,
  optional: flag,
  maxLength: integer(1, MAX_TEXT),
  multiline: flag,
  value: kind<string>('a string', (value) => typeof value === 'string'),
}
type TextKinds = typeof TEXT_KINDS

/**
 * Creates a number field, by default for whole numbers.
 *
 * @example
 * form: { days: numberField({ label: 'Days', min: 1, max: 30, value: 14 }) }
 *
 * @throws {SidecardError} `invalid_options`
 * @see docs/guides/actions.md#forms
 */
export function numberField<const O extends NumberFieldOptions>(
  options: O & NumberFieldOptions,
): Field<Optional<number, O>> {
  const read = readOptions<NumberFieldOptions, NumberKinds>('numberField', options, NUMBER_KINDS)
  const { label, optional = false, min, max, step = 1, value } = read
  if (min !== undefined && max !== undefined && min > max) {
    throw invalidOption('numberField', 'max', 'at least min')
  }
  const initial = value === undefined ? '' : String(value)
  return {
    view: { control: 'number', label, optional, initial, min, max, step },
    read(entered, messages): FieldResult<Optional<number, O>> {
      const found = entered.trim()
      if (found === '') return readEmpty(optional, messages)
      const parsed = /^[+-]?(?:\d{1,16}(?:\.\d{0,10})?|\.\d{1,10})$/.test(found)
        ? Number(found)
        : NaN
      if (Number.isNaN(parsed)) return { problem: messages.notANumber }
      if ((min !== undefined && parsed < min) || (max !== undefined && parsed > max)) {
        return { problem: messages.outOfRange(min, max) }
      }
      const steps = (parsed - (min ?? 0)) / step
      if (Math.abs(steps - Math.round(steps)) > 1e-9) return { problem: messages.notAStep(step) }
      return { value: parsed }
    },
  }
}

const NUMBER_KINDS = {
  label: LABEL,
  optional: flag,
  min: number,
  max: number,
  step: kind<number>('a positive number', (value) => Number.isFinite(value) && Number(value) > 0),
  value: number,
}
type NumberKinds = typeof NUMBER_KINDS

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
  const kinds = { label: LABEL, optional: flag, options: required(CHOICES), value: string }
  const read = readOptions<SelectFieldOptions<string>, typeof kinds>('selectField', options, kinds)
  const { label, optional = false, value } = read
  const choices = Object.entries(read.options as Readonly<Record<string, string>>)
  const names = choices.map(([name]) => name)
  if (value !== undefined && !names.includes(value)) {
    const similar = closestMatch(value, names)
    throw invalidOption('selectField', 'value', similar ? `"${similar}"` : 'one of the options')
  }
  return {
    view: { control: 'select', label, optional, initial: value ?? '', choices },
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

function readEmpty<V>(optional: boolean, messages: ActionMessages): FieldResult<V> {
  // An optional field has the type of an absent value.
  return optional ? { value: undefined as V } : { problem: messages.missingValue }
}
