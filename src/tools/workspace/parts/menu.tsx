import { useId, useRef } from 'preact/hooks'
import { classes } from '../core/classes.ts'
import { Button } from './forms/button.tsx'
import { Icon, type IconName } from './forms/icon.tsx'
import style from './menu.module.css'

/** An item of a menu. */
export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly onChoose: () => void
  readonly isDisabled?: boolean
  readonly isDangerous?: boolean
}

interface MenuProps {
  /** The name of the button, such as `Billing menu`. */
  readonly label: string
  /** The visible text of the button. @default only an icon */
  readonly caption?: string
  readonly items: readonly MenuItem[]
}

/** A button that opens a menu. Arrow keys move the focus, Escape closes it. */
export function Menu({ label, caption, items }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <Button
        ref={button}
        look={caption === undefined ? 'icon-button' : 'plain'}
        small={caption !== undefined}
        aria-label={label}
        aria-haspopup="menu"
        popovertarget={id}
      >
        {caption}
        <Icon name={caption === undefined ? 'more' : 'down'} />
      </Button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        class={style.menu}
        onToggle={(event) => {
          if (event.newState !== 'open' || list.current === null) return
          enabled(list.current)[0]?.focus()
        }}
        onKeyDown={(event) => {
          if (moveFocus(list.current, event.key)) event.preventDefault()
        }}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            class={classes(style.item, item.isDangerous && style.danger)}
            disabled={item.isDisabled}
            onClick={() => {
              list.current?.hidePopover()
              button.current?.focus()
              item.onChoose()
            }}
          >
            {item.icon !== undefined && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  )
}

function enabled(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')]
}

function moveFocus(list: HTMLElement | null, key: string): boolean {
  if (list === null) return false
  const items = enabled(list)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key]
  if (next === undefined) return false
  items.at(next % items.length)?.focus()
  return true
}
