import type { CardChild, Component, Payload } from '../contract/generated/types.ts'
import type { Shown, ShownFields } from '../contract/shown-fields.ts'
import { escapeHtml } from './escape-html.ts'
import { formatDateTime } from './format-date-time.ts'
import { htmlPage } from './html-page.ts'
import { WIDGET_STYLE } from './html-style.ts'
import { describeLink } from './link-host.ts'

/** Options of `renderHtml()`. */
export interface HtmlOptions {
  /** The time zone of `date_time` values, an IANA name. @default 'UTC' */
  readonly timeZone?: string
}

/**
 * Renders a payload as one self-contained HTML page that shows the widget as an
 * agent sees it, without icons. The page contains no script and loads no other
 * files.
 */
export function renderHtml(payload: Payload, options: HtmlOptions = {}): string {
  return htmlPage({
    title: payload.header.title ?? 'Widget',
    styles: [WIDGET_STYLE],
    body: renderHtmlWidget(payload, options),
  })
}

/**
 * Renders a payload as an HTML element for a page that includes `WIDGET_STYLE`.
 * It contains no script, no inline style and no remote resource.
 */
export function renderHtmlWidget(payload: Payload, options: HtmlOptions = {}): string {
  const { timeZone = 'UTC' } = options
  const { title } = payload.header
  const header = title
    ? `<header><span class="cut" dir="auto">${escapeHtml(title)}</span></header>`
    : ''
  const rows = payload.components.map((component) => renderComponent(component, timeZone))
  const body = rows.length === 0 ? '<p class="empty">No components</p>' : rows.join('\n')
  return `<section class="sidecard-widget">${header}<div class="rows">
${body}
</div></section>`
}

function renderComponent(component: Component, timeZone: string): string {
  if (component.type !== 'card') return renderChild(component, timeZone)
  const { header, components } = component
  const title = header?.title ? `<h3 class="cut" dir="auto">${escapeHtml(header.title)}</h3>` : ''
  const rows = components.map((child) => renderChild(child, timeZone))
  return `<section class="card">${title}<div class="rows">\n${rows.join('\n')}\n</div></section>`
}

/** The fields that the page shows. */
export const HTML_FIELDS = {
  payload: { version: false, header: true, components: true },
  header: { title: true, icon_url: false },
  card: { header: true, components: true },
  text: { label: true, value: true, icon_url: false },
  date_time: { label: true, value: true, icon_url: false },
  badge: { label: true, items: true },
  badge_item: { value: true, color: true },
  button: { label: true, button_type: false, url: true },
  link: { label: true, url: true },
  divider: {},
} as const satisfies ShownFields

type Renderers = {
  readonly [Type in CardChild['type']]: (
    component: Shown<Type, typeof HTML_FIELDS>,
    timeZone: string,
  ) => string
}

const RENDERERS: Renderers = {
  text: ({ label, value }) =>
    renderRow(label, `<div class="clamp" dir="auto">${escapeHtml(value)}</div>`, isLong(value)),
  date_time: ({ label, value }, timeZone) =>
    renderRow(
      label,
      `<time datetime="${escapeHtml(value)}">${escapeHtml(formatDateTime(value, timeZone))}</time>`,
    ),
  badge: ({ label, items }) => {
    const badges = items.map(
      ({ value, color }) =>
        `<li class="${escapeHtml(color)}"><span class="cut" dir="auto">${escapeHtml(value)}</span></li>`,
    )
    return renderRow(label, `<ul>${badges.join('')}</ul>`)
  },
  button: ({ label, url }) => renderLink(label, url, 'button cut'),
  link: ({ label, url }) => renderLink(label, url, 'cut'),
  divider: () => '<hr>',
}

function renderChild<Type extends CardChild['type']>(
  component: Extract<CardChild, { type: Type }>,
  timeZone: string,
): string {
  const type: Type = component.type
  return RENDERERS[type](component, timeZone)
}

function renderRow(label: string, value: string, long = false): string {
  const name = `<div class="label"><span class="cut" dir="auto">${escapeHtml(label)}</span></div>`
  return `<div class="row${long ? ' long' : ''}">${name}<div>${value}</div></div>`
}

/** The schemes that a page may open. An unvalidated payload may contain others. */
const SAFE_URL = /^(?:https?|mailto|tel):/i

function renderLink(label: string, url: string, className: string): string {
  const target = SAFE_URL.test(url)
    ? ` href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer"`
    : ''
  const { misleadingHost: host } = describeLink(url)
  const place = host === null ? '' : `<small>${escapeHtml(host)}</small>`
  return `<a class="${className}" dir="auto"${target}>${place}${escapeHtml(label)} ↗</a>`
}

const LONG = 44

function isLong(value: string): boolean {
  return value.length > LONG || value.includes('\n')
}
