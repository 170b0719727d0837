import type { ComponentChildren } from 'preact'
import style from './code-block.module.css'

interface CodeBlockProps {
  /** The label for screen readers. */
  readonly label: string
  readonly children: ComponentChildren
}

/** A block of source code or JSON that scrolls if necessary. */
export function CodeBlock({ label, children }: CodeBlockProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <pre class={style['code-block']} dir="ltr" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  )
}
