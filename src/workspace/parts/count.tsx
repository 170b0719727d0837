import type { ComponentChildren } from 'preact'
import { classes } from '../core/classes.ts'
import style from './status.module.css'

interface CountProps {
  readonly tone?: 'good' | 'warn' | 'bad' | 'info'
  readonly title?: string
  readonly children: ComponentChildren
}

/** A number or a word in a small pill. */
export function Count({ tone, title, children }: CountProps) {
  return (
    <span class={classes(style.count, tone && style[`count-${tone}`])} title={title}>
      {children}
    </span>
  )
}
