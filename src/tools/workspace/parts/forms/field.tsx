import { createContext } from 'preact'
import type { ComponentChildren, InputHTMLAttributes, SelectHTMLAttributes } from 'preact'
import { useContext, useId } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import { classes } from '../../core/classes.ts'
import style from './field.module.css'

/** The attributes of a text field. */
type InputProps = InputHTMLAttributes & {
  /** Shows the text in the font of code. */
  readonly mono?: boolean
  /** Called when the text changes. */
  readonly onText: (text: string) => void
}

/** A text field. The browser neither completes nor corrects its text. */
export function Input({ mono, onText, ...attributes }: InputProps) {
  return (
    <input
      autocomplete="off"
      spellcheck={false}
      {...attributes}
      class={classes(style.input, mono && 'mono')}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}

interface SearchProps extends Pick<InputHTMLAttributes, 'id' | 'placeholder'> {
  readonly label: string
  readonly text: Signal<string>
}

/** A text field that filters a list. */
export function Search({ label, text, ...attributes }: SearchProps) {
  const onText = (next: string) => {
    text.value = next
  }
  return (
    <Input type="search" aria-label={label} {...attributes} value={text.value} onText={onText} />
  )
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

/** Why a form was rejected. */
export interface FormProblem {
  readonly text: string
  /** The rejected field; empty if it is not known. */
  readonly path: string
}

/** The problem of the form around a field; null if it was not rejected. */
export const CurrentProblem = createContext<FormProblem | null>(null)

type FieldProps = InputProps & {
  readonly label: string
  /** The name in requests, next to the label. */
  readonly code?: string
  readonly hint?: string
  /** The field of the request, whose problem is shown here. */
  readonly path?: string
  /** A control next to the text field. */
  readonly children?: ComponentChildren
}

/** A text field with its label, hint and error. */
export function Field({ label, code, hint, path, children, ...input }: FieldProps) {
  const id = useId()
  const problem = useContext(CurrentProblem)
  const error = path !== undefined && problem?.path === path ? problem.text : undefined
  return (
    <div class={style['field']}>
      <label class="strong" for={id}>
        {label} {code !== undefined && <code class="muted">{code}</code>}
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
  if (!text) return null
  return (
    <p class="hint tone-bad" role="alert" id={id}>
      {text}
    </p>
  )
}
