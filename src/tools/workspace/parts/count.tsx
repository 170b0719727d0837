import type { ComponentChildren } from 'preact'
import { classes } from '../core/classes.ts'
import style from './status.module.css'

interface CountProps {
  /** @default 'none' */
  readonly tone?: keyof typeof COLORS
  readonly title?: string
  readonly children: ComponentChildren
}

const COLORS = { good: 'green', warn: 'orange', bad: 'red', info: 'blue', none: 'gray' }

/** A number or a word in a small pill. */
export function Count({ tone = 'none', title, children }: CountProps) {
  return (
    <span class={classes(style.count, COLORS[tone])} title={title}>
      {children}
    </span>
  )
}
