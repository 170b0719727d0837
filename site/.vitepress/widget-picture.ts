import type { MarkdownOptions } from 'vitepress'
import type { Component, Payload } from '../../src/runtime/contract/generated/types.ts'
import { WIDGET_STYLE } from '../../src/runtime/render/html-style.ts'
import { renderHtmlWidget } from '../../src/runtime/render/render-html.ts'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** Shows the widget below each JSON block of the page about components. */
export function addWidgetPictures(md: Markdown): void {
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (tokens, index, options, env: { relativePath?: string }, self) => {
    const block = fence?.(tokens, index, options, env, self) ?? ''
    const { info, content } = tokens[index]!
    return env.relativePath === 'components.md' && info === 'json'
      ? `${block}<div class="vp-raw widget-picture" v-pre>${renderHtmlWidget(toPayload(JSON.parse(content)))}</div>`
      : block
  }
}

/** The style of the widgets, which the rest of the page must not get. The site has its own switch for dark. */
export const PICTURE_STYLE = WIDGET_STYLE.css
  .split('\n')
  .filter((rule) => !rule.startsWith('body'))
  .map((rule) => rule.replace(/^@media .*?:root (.*) \}$/, '.dark .sidecard-widget $1'))
  .map((rule) => rule.replace(/^:root/, '.sidecard-widget'))
  .join('\n')

function toPayload(value: Payload | Component | readonly Component[]): Payload {
  if ('version' in value) return value
  return { version: '1.0.0', header: { title: 'Billing' }, components: [value].flat() }
}
