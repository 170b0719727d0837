import type { ComponentChildren } from 'preact'
import style from './list.module.css'

interface ListViewProps {
  /** The label of the list for screen readers. */
  readonly label: string
  readonly list: ComponentChildren
  readonly children: ComponentChildren
}

/** A view with a list, and next to it the item of the list that is open. */
export function ListView({ label, list, children }: ListViewProps) {
  return (
    <div class={style.view}>
      <nav class={style.list} aria-label={label}>
        {list}
      </nav>
      <main class="scroll" id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

interface ListLinkProps {
  readonly href: string
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

/** A link in a list, which opens an item. */
export function ListLink({ href, isOpen, children }: ListLinkProps) {
  return (
    <a class={style.item} href={href} aria-current={isOpen ? 'page' : undefined}>
      {children}
    </a>
  )
}
