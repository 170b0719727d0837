import type { ComponentChildren } from 'preact'
import type { Card, CardChild, Component, Header } from '../../../contract/payload.ts'
import { Icon } from '../parts/icon.tsx'
import { IconImage } from './icon-image.tsx'
import { moment } from './moment.ts'
import { OutLink } from './out-link.tsx'

interface ComponentProps<Of> {
  readonly component: Of
  /** Where it stands in the payload, such as `components[0].components[2]`. */
  readonly path: string
}

/** One component of a payload as the contract says it shows. */
export function ComponentView({ component, path }: ComponentProps<Component>) {
  return component.type === 'card' ? (
    <CardView component={component} path={path} />
  ) : (
    <Leaf component={component} path={path} />
  )
}

function CardView({ component, path }: ComponentProps<Card>) {
  return (
    <section class="card">
      <CardHeader header={component.header} path={`${path}.header`} />
      <div class="rows">
        {component.components.map((child, index) => (
          <Leaf key={index} component={child} path={`${path}.components[${index}]`} />
        ))}
      </div>
    </section>
  )
}

function CardHeader({ header, path }: { header: Header | undefined; path: string }) {
  if (header === undefined || (!header.title && !header.icon_url)) return null
  return (
    <div class="card-header">
      <IconImage url={header.icon_url} />
      <h4 class="cut" dir="auto" data-path={`${path}.title`}>
        {header.title}
      </h4>
    </div>
  )
}

function Leaf({ component, path }: ComponentProps<CardChild>) {
  switch (component.type) {
    case 'text':
      return (
        <Row {...component} path={path} isLong={isLong(component.value)}>
          <div class="clamp" dir="auto" data-path={`${path}.value`}>
            {component.value}
          </div>
        </Row>
      )
    case 'date_time':
      return (
        <Row {...component} path={path}>
          <time dateTime={component.value} title={component.value}>
            {moment(component.value)}
          </time>
        </Row>
      )
    case 'badge':
      return (
        <Row label={component.label} path={path}>
          <ul class="badges">
            {component.items.map(({ value, color }, index) => (
              <li key={index} class={`badge badge-${color}`}>
                <span class="cut" dir="auto" data-path={`${path}.items[${index}].value`}>
                  {value}
                </span>
              </li>
            ))}
          </ul>
        </Row>
      )
    case 'button':
      return (
        <OutLink class="widget-button" url={component.url}>
          <span class="cut" dir="auto" data-path={`${path}.label`}>
            {component.label}
          </span>
          <Icon name="out" />
        </OutLink>
      )
    case 'link':
      return (
        <OutLink class="widget-link" url={component.url}>
          <span class="cut" dir="auto" data-path={`${path}.label`}>
            {component.label}
          </span>
          <Icon name="out" />
        </OutLink>
      )
    case 'divider':
      break
  }
  return <hr class="divider" />
}

interface RowProps {
  readonly label: string
  readonly icon_url?: string | undefined
  readonly path: string
  /** The value stands below the label instead of beside it. */
  readonly isLong?: boolean
  readonly children: ComponentChildren
}

function Row({ label, icon_url, path, isLong = false, children }: RowProps) {
  return (
    <div class={isLong ? 'row row-long' : 'row'}>
      <div class="row-label">
        <IconImage url={icon_url} />
        <span class="cut" dir="auto" data-path={`${path}.label`}>
          {label}
        </span>
      </div>
      <div class="row-value">{children}</div>
    </div>
  )
}

const LONG = 44

function isLong(value: string): boolean {
  return value.length > LONG || value.includes('\n')
}
