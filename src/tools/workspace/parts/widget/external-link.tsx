import type { ComponentChildren } from 'preact'
import { isLink } from '../../../../runtime/contract/uri.ts'
import { isActionLink } from '../../../internal/action-link.ts'
import { describeLink } from '../../../../runtime/render/link-host.ts'
import { actionAgent } from '../../core/preferences.ts'
import { followAction } from '../../state/actions.ts'
import { classes } from '../../core/classes.ts'
import style from './widget.module.css'

interface ExternalLinkProps {
  readonly url: string
  readonly class: string | undefined
  /** The path of the component in the payload. */
  readonly path: string
  readonly children: ComponentChildren
}

/**
 * A link that leaves the workspace. It is plain text if the scheme of the URL is
 * not allowed (A9).
 */
export function ExternalLink({ url, class: name, path, children }: ExternalLinkProps) {
  if (!isLink(url)) {
    return (
      <span class={classes(name, style.inert)} data-component={path}>
        {children}
      </span>
    )
  }
  const { title, misleadingHost } = describeLink(url)
  return (
    <a
      class={name}
      href={isActionLink(url) ? withAgent(url) : url}
      target="_blank"
      rel="noopener noreferrer"
      title={title}
      onClick={isActionLink(url) ? (event) => follow(event.currentTarget, url) : undefined}
      data-component={path}
    >
      {children}
      {misleadingHost !== null && <span class={style['link-host']}>{misleadingHost}</span>}
    </a>
  )
}

/** Adds the chosen agent, whom a local app reads during development. */
function withAgent(url: string): string {
  const { value } = actionAgent
  return value === '' ? url : `${url}&agent=${encodeURIComponent(value)}`
}

function follow(link: HTMLElement, url: string): void {
  const widgetId = link.closest<HTMLElement>('[data-widget]')?.dataset['widget'] ?? ''
  followAction({ widgetId, url, label: link.innerText.trim() })
}
