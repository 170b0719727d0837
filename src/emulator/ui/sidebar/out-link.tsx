import type { ComponentChildren } from 'preact'
import { isLink } from '../../../contract/uri.ts'

interface OutLinkProps {
  readonly url: string
  readonly class: string
  readonly children: ComponentChildren
}

/** A link that leaves the workspace; any address but http(s) makes it inert text (A9). */
export function OutLink({ url, class: name, children }: OutLinkProps) {
  if (!isLink(url)) return <span class={`${name} inert`}>{children}</span>
  return (
    <a class={name} href={url} target="_blank" rel="noopener noreferrer" title={url}>
      {children}
    </a>
  )
}
