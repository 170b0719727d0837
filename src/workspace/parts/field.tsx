import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact'
import { useId } from 'preact/hooks'
import { classes } from '../core/classes.ts'
import style from './field.module.css'

/** The attributes of a text field. */
type InputProps = InputHTMLAttributes & {
  /** Shows the text in the font of code. */
  readonly mono?: boolean
}

/** A text field. The browser neither completes nor corrects its text. */
export function Input({ mono, ...attributes }: InputProps) {
  const name = classes(style.input, mono && 'mono')
  return <input autocomplete="off" spellcheck={false} {...attributes} class={name} />
}

type SelectProps = SelectHTMLAttributes & {
  readonly small?: boolean
  /** The values with their names. @default the children */
  readonly options?: readonly (readonly [value: string, name: string])[]
  readonly children?: ComponentChildren
}

/** A choice from the browser's own menu. */
export function Select({ small, options, children, ...attributes }: SelectProps) {
  return (
    <select {...attributes} class={classes(style.select, small && style['select-small'])}>
      {options?.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {children}
    </select>
  )
}

interface FieldProps {
  readonly label: ComponentChildren
  readonly hint?: string
  readonly error?: string | undefined
  /** The attributes of the text field. */
  readonly input: InputProps
  /** A control next to the text field. */
  readonly children?: ComponentChildren
}

/** A text field with its label, hint and error. */
export function Field({ label, hint, error, input, children }: FieldProps) {
  const id = useId()
  return (
    <div class={style['field']}>
      <label class="strong" for={id}>
        {label}
      </label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class={style.row}>
        <Input
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
        />
        {children}
      </div>
      <FormError id={`${id}-error`} text={error} />
    </div>
  )
}

interface FormErrorProps {
  readonly text: string | null | undefined
  readonly id?: string
}

/** The reason of a failure. Without a text, it shows nothing. */
export function FormError({ text, id }: FormErrorProps) {
  if (text === null || text === undefined || text === '') return null
  return (
    <p class="hint tone-bad" role="alert" id={id}>
      {text}
    </p>
  )
}
