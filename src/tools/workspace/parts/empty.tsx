import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './forms/icon.tsx'
import style from './empty.module.css'

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  /** @default 'h3' */
  readonly heading?: 'h1' | 'h2' | 'h3'
  readonly children?: ComponentChildren
}

/** A message for an empty list or view, with the next step. */
export function Empty({ icon, title, heading: Heading = 'h3', children }: EmptyProps) {
  return (
    <div class={style.empty}>
      <span class={style.icon}>
        <Icon name={icon} />
      </span>
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}
