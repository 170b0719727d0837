import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icon.tsx'
import { classes } from '../core/classes.ts'
import style from './button.module.css'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon'> {
  /** `link` and `quiet` look like text. `toggle` shows `aria-pressed`. @default 'plain' */
  readonly look?: 'plain' | 'primary' | 'danger' | 'link' | 'quiet' | 'toggle'
  /** @default false */
  readonly small?: boolean
  readonly icon?: IconName | undefined
  /** Makes it a link. */
  readonly href?: string
  /** Opens the link in a new tab. */
  readonly target?: '_blank'
  readonly children: ComponentChildren
}

/** A button with a text, or a link that looks like one. */
export function Button({ look = 'plain', small, icon, href, target, ...rest }: ButtonProps) {
  const { children, ...attributes } = rest
  const isText = look === 'link' || look === 'quiet' || look === 'toggle'
  const name = classes(!isText && style.button, style[look], small === true && style.small)
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  )
  if (href !== undefined) {
    return (
      <a
        class={name}
        href={href}
        {...(target !== undefined && { target, rel: 'noopener noreferrer' })}
      >
        {content}
      </a>
    )
  }
  return (
    <button type="button" {...attributes} class={name}>
      {content}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  readonly icon: IconName
  /** The name for screen readers. */
  readonly label: string
  /** Makes it a link. */
  readonly href?: string
}

/** A button that shows only an icon, or a link that looks like one. */
export function IconButton({ icon, label, href, ...attributes }: IconButtonProps) {
  if (href !== undefined) {
    return (
      <a class={style['icon-button']} href={href} aria-label={label} title={label}>
        <Icon name={icon} />
      </a>
    )
  }
  return (
    <button type="button" aria-label={label} {...attributes} class={style['icon-button']}>
      <Icon name={icon} />
    </button>
  )
}
