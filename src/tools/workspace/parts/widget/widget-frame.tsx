import type { ArticleHTMLAttributes, ComponentChildren, Ref } from 'preact'
import type { Header } from '../../../../runtime/contract/generated/types.ts'
import { IconImage } from './icon-image.tsx'
import style from './widget.module.css'

interface WidgetFrameProps extends Omit<ArticleHTMLAttributes, 'class'> {
  readonly header: Header | undefined
  /** The title if the header has none. */
  readonly name: string
  readonly ref?: Ref<HTMLElement>
  readonly children: ComponentChildren
}

/** The frame of a widget with its header, as an agent sees it. */
export function WidgetFrame({ header, name, children, ...attributes }: WidgetFrameProps) {
  return (
    <article {...attributes} class={style.widget} dir="auto">
      <header class={style.header} data-component="header">
        <IconImage url={header?.icon_url} />
        <h3 class="cut" data-path="header.title">
          {header?.title || name}
        </h3>
      </header>
      <div class={style.body}>{children}</div>
    </article>
  )
}
