import type { ComponentChildren } from 'preact'
import style from './layout.module.css'

interface SectionProps {
  readonly title: string
  /** Facts or controls next to the title. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a request or a report, with its title. */
export function Section({ title, end, children }: SectionProps) {
  return (
    <section class={style['detail-part']} aria-label={title}>
      <div class={style['body-head']}>
        <h2>{title}</h2>
        {end}
      </div>
      {children}
    </section>
  )
}
