import { classes } from '../core/classes.ts'
import type { Tone } from '../core/outcome.ts'
import style from './status.module.css'

interface DotProps {
  /** @default a gray dot */
  readonly tone?: Tone | 'warn' | undefined
  readonly title?: string
}

/** A colored dot next to a word. */
export function Dot({ tone, title }: DotProps) {
  return <span class={classes(style.dot, tone && style[`dot-${tone}`])} title={title} />
}
