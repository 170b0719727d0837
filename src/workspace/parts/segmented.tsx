import type { ComponentChildren } from 'preact'
import style from './segmented.module.css'

interface SegmentedProps<Value extends string | number> {
  /** The label for screen readers. */
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: ComponentChildren
    /** The label of an option that shows only an icon. */
    readonly name?: string
  }[]
  readonly onChange: (value: Value) => void
}

/** A choice between a few visible options. */
export function Segmented<Value extends string | number>(props: SegmentedProps<Value>) {
  const { label, value, options, onChange } = props
  return (
    <fieldset class={style.segmented} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={option.name}
          title={option.name}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
