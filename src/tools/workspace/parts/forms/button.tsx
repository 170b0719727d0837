import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { classes } from '../../core/classes.ts'
import style from './button.module.css'

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'class' | 'icon' | 'label'> {
  /** `link` looks like text. `toggle` shows `aria-pressed`. @default 'plain' */
  readonly look?: 'plain' | 'primary' | 'danger' | 'link' | 'toggle' | 'icon-button'
  /** @default false */
  readonly small?: boolean
  readonly icon?: IconName | undefined
  /** The URL, which makes the button a link. */
  readonly href?: string
  /** Opens the link in a new tab. */
  readonly target?: '_blank'
  /** Its work is pending: it ignores clicks, and keeps the focus unlike a disabled button. */
  readonly isBusy?: boolean
  readonly ref?: Ref<HTMLButtonElement>
  readonly children?: ComponentChildren
}

const ignore = (event: Event) => event.preventDefault()

/** A button with a text, or a link that looks like a button. */
export function Button({ look = 'plain', small, icon, href, children, ...rest }: ButtonProps) {
  const { target, title, 'aria-label': label, isBusy = false, ...attributes } = rest
  if (isBusy) Object.assign(attributes, { 'aria-disabled': true, onClick: ignore })
  const isText = look === 'link' || look === 'toggle' || look === 'icon-button'
  const name = classes(!isText && style.button, style[look], small && style.small)
  const content = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  )
  if (href === undefined) {
    return (
      <button type="button" title={title} aria-label={label} {...attributes} class={name}>
        {content}
      </button>
    )
  }
  const link = target && { target, rel: 'noopener noreferrer' }
  return (
    <a href={href} {...link} title={title} aria-label={label} class={name}>
      {content}
    </a>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'look' | 'children'> {
  /** The name for screen readers. */
  readonly label: string
}

/** A button that only shows an icon, or a link that looks like one. */
export function IconButton({ label, ...button }: IconButtonProps) {
  return <Button look="icon-button" aria-label={label} title={button.href && label} {...button} />
}
