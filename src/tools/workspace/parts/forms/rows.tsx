import type { ComponentChildren } from 'preact'
import { Button, IconButton } from './button.tsx'
import style from './field.module.css'

interface RowsProps<Item> {
  readonly legend: string
  readonly hint: string
  /** The name of one row, such as `widget`. */
  readonly noun: string
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  /** The number of rows that cannot be removed. @default 0 */
  readonly min?: number
  readonly create: () => Item
  readonly onChange: (items: readonly Item[]) => void
  readonly children: (item: Item, number: number, put: (item: Item) => void) => ComponentChildren
}

/** Fields in a form that can be added and removed. */
export function Rows<Item>(props: RowsProps<Item>) {
  const { legend, hint, noun, items, nameOf, min = 0, create, onChange, children } = props
  return (
    <fieldset class={style.group}>
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {items.map((item, index) => (
        <div class={style.row} key={index}>
          {children(item, index + 1, (next) => onChange(items.with(index, next)))}
          {items.length > min && (
            <IconButton
              icon="close"
              label={`Remove ${noun} ${nameOf(item) || index + 1}`}
              onClick={() => onChange(items.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <Button small icon="plus" onClick={() => onChange([...items, create()])}>
        Add {noun}
      </Button>
    </fieldset>
  )
}
