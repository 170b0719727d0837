import type { Payload } from '../contract/generated/types.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlPage, type StyleSheet } from './html-page.ts'
import { WIDGET_STYLE } from './html-style.ts'
import { renderHtmlWidget } from './render-html.ts'

/** The layout of the page; a widget has its own style. */
export const STATES_STYLE: StyleSheet = {
  css: `main { display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start; color: var(--ink); font: 13px/1.45 system-ui, sans-serif; }
article { width: 340px; }
article h2 { margin: 0; font-size: 15px; }
article p { margin: 2px 0 8px; color: var(--quiet); }
`,
  hash: 'l9XuRiPvg5ahy7DyZm6mMWn/heCANI5DKQPvtihOmeQ=',
}

/** A widget in one state: its outcome in words, and null instead of a payload that agents do not see. */
interface ShownState {
  readonly name: string
  readonly outcome: string
  readonly payload: Payload | null
}

/** Renders widgets side by side, as one self-contained HTML page without a script. */
export function renderStatesPage(title: string, states: readonly ShownState[]): string {
  const articles = states.map(
    ({ name, outcome, payload }) =>
      `<article><h2 dir="auto">${escapeHtml(name)}</h2><p>${escapeHtml(outcome)}</p>${payload === null ? '' : renderHtmlWidget(payload)}</article>`,
  )
  const body = `<main>\n${articles.join('\n')}\n</main>`
  return htmlPage({ title, styles: [WIDGET_STYLE, STATES_STYLE], body })
}
