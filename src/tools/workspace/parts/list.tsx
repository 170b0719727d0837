import type { ComponentChildren } from 'preact'
import style from './list.module.css'

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
