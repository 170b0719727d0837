import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import style from './tabs.module.css'

interface TabsProps<Name extends string> {
  /** The label for screen readers. */
  readonly label: string
  readonly tabs: readonly { readonly id: Name; readonly name: ComponentChildren }[]
  /** The open tab; null if the panel is closed. */
  readonly open: Name | null
  readonly onOpen: (id: Name) => void
  /** Controls at the end of the row. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

/** Tabs with one panel. Arrow keys move between the tabs. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, open, onOpen, end, children } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const focused = open ?? tabs[0]?.id
  const move = (key: string): boolean => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key]
    const at = tabs.findIndex((tab) => tab.id === focused)
    const next = by === undefined ? undefined : tabs[(at + by + tabs.length) % tabs.length]
    if (next === undefined) return false
    onOpen(next.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${next.id}`)}`)?.focus()
    return true
  }
  return (
    <>
      <div class={style.row}>
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its tabs has the focus */}
        <div
          ref={list}
          class={style.tabs}
          role="tablist"
          aria-label={label}
          onKeyDown={(event) => {
            if (move(event.key)) event.preventDefault()
          }}
        >
          {tabs.map((tab) => (
            <button
              key={tab.id}
              id={`${id}-${tab.id}`}
              type="button"
              role="tab"
              class={style.tab}
              aria-selected={tab.id === open}
              aria-controls={open === null ? undefined : `${id}-panel`}
              tabIndex={tab.id === focused ? 0 : -1}
              onClick={() => onOpen(tab.id)}
            >
              {tab.name}
            </button>
          ))}
        </div>
        {end}
      </div>
      {open !== null && (
        <div
          class={style.panel}
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-${open}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
          tabIndex={0}
        >
          {children}
        </div>
      )}
    </>
  )
}
