import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}

/** What stands where there is nothing yet, and says what to do. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h3>{title}</h3>
      {children}
    </div>
  )
}
