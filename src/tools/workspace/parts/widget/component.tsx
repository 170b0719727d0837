import type { ComponentChildren } from 'preact'
import type {
  Button,
  Card,
  CardChild,
  Component,
  Header,
  Link,
} from '../../../../runtime/contract/generated/types.ts'
import type { Shown, ShownFields } from '../../../../runtime/contract/shown-fields.ts'
import { classes } from '../../core/classes.ts'
import { formatDateTime } from '../../core/format.ts'
import { Icon } from '../forms/icon.tsx'
import { ExternalLink } from './external-link.tsx'
import { IconImage } from './icon-image.tsx'
import style from './widget.module.css'

/** The fields that the workspace shows. */
const FIELDS = {
  payload: { version: false, header: true, components: true },
  header: { title: true, icon_url: true },
  card: { header: true, components: true },
  text: { label: true, value: true, icon_url: true },
  date_time: { label: true, value: true, icon_url: true },
  badge: { label: true, items: true },
  badge_item: { value: true, color: true },
  button: { label: true, button_type: false, url: true },
  link: { label: true, url: true },
  divider: {},
} as const satisfies ShownFields

type ShownChild = { [Type in CardChild['type']]: Shown<Type, typeof FIELDS> }[CardChild['type']]

interface ComponentProps<Of> {
  readonly component: Of
  /** The path in the payload, such as `components[0].components[2]`. */
  readonly path: string
}

/** One component of a payload. */
export function ComponentView({ component, path }: ComponentProps<Component>) {
  return component.type === 'card' ? (
    <CardView component={component} path={path} />
  ) : (
    <Leaf component={component} path={path} />
  )
}

function CardView({ component, path }: ComponentProps<Card>) {
  return (
    <section class={style.card} data-component={path}>
      <CardHeader header={component.header} path={`${path}.header`} />
      {component.components.map((child, index) => (
        <Leaf key={index} component={child} path={`${path}.components[${index}]`} />
      ))}
    </section>
  )
}

function CardHeader({ header, path }: { header: Header | undefined; path: string }) {
  if (header === undefined || (!header.title && !header.icon_url)) return null
  return (
    <div class="row">
      <IconImage url={header.icon_url} />
      <h4 class="cut" data-path={`${path}.title`}>
        {header.title}
      </h4>
    </div>
  )
}

function Leaf({ component, path }: ComponentProps<ShownChild>) {
  switch (component.type) {
    case 'text':
      return (
        <Row {...component} path={path} isLong={isLongText(component.value)}>
          <div class="clamp" data-path={`${path}.value`}>
            {shorten(component.value)}
          </div>
        </Row>
      )
    case 'date_time':
      return (
        <Row {...component} path={path}>
          <time dateTime={component.value} title={component.value} data-path={`${path}.value`}>
            {formatDateTime(component.value)}
          </time>
        </Row>
      )
    case 'badge':
      return (
        <Row label={component.label} path={path}>
          <ul class={style.badges}>
            {component.items.map(({ value, color }, index) => (
              <li key={index} class={classes(style.badge, color)}>
                <span class="cut" data-path={`${path}.items[${index}].value`}>
                  {value}
                </span>
              </li>
            ))}
          </ul>
        </Row>
      )
    case 'button':
      return <LinkComponent component={component} path={path} class={style.button} />
    case 'link':
      return <LinkComponent component={component} path={path} class={style.link} />
    case 'divider':
      return <hr class={style.divider} data-component={path} />
    default:
      return assertNever(component)
  }
}

interface LinkComponentProps extends ComponentProps<Pick<Button | Link, 'label' | 'url'>> {
  readonly class: string | undefined
}

function LinkComponent({ component, path, class: name }: LinkComponentProps) {
  return (
    <ExternalLink class={name} url={component.url} path={path}>
      <span class="cut" data-path={`${path}.label`}>
        {component.label}
      </span>
      <Icon name="out" size={13} />
    </ExternalLink>
  )
}

interface RowProps {
  readonly label: string
  readonly icon_url?: string | undefined
  readonly path: string
  /** Whether the value is below the label, not next to it. */
  readonly isLong?: boolean
  readonly children: ComponentChildren
}

function Row({ label, icon_url, path, isLong = false, children }: RowProps) {
  return (
    <div class={classes(style.row, isLong && style['row-long'])} data-component={path}>
      <div class={style['row-label']}>
        <IconImage url={icon_url} />
        <span class="cut" data-path={`${path}.label`}>
          {label}
        </span>
      </div>
      <div class={style['row-value']}>{children}</div>
    </div>
  )
}

const LONG = 44

function isLongText(value: string): boolean {
  return value.length > LONG || value.includes('\n')
}

/**
 * The maximum length: far more than eight lines, but less than a megabyte, whose
 * layout would take seconds.
 */
const MAX_LENGTH = 10_000

function shorten(value: string): string {
  return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value
}

/** Makes the compiler report a `switch` that does not cover every member of a union. */
function assertNever(value: never): never {
  throw new TypeError(`Unexpected value of type ${typeof value}.`)
}
