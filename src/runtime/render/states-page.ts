import type { Payload } from '../contract/generated/types.ts'
import { escapeHtml } from './escape-html.ts'
import { htmlPage, type StyleSheet } from './html-page.ts'
import { WIDGET_STYLE } from './html-style.ts'
import { renderHtmlWidget } from './render-html.ts'

/** The style sheet of the page, without that of the widgets. */
export const STATES_STYLE: StyleSheet = {
  css: `main { display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start; color: var(--ink); font: 13px/1.45 system-ui, sans-serif; }
article { width: 340px; }
article h2 { margin: 0; font-size: 15px; }
article p { margin: 2px 0 8px; color: var(--quiet); }
iframe { width: 100%; height: 420px; border: 1px solid var(--line); border-radius: 10px; }
`,
  hash: 'Af3utCf9njT8+Q4gFcYTcADyZGQwohicXvurlvSF1f8=',
}

/**
 * A widget in one state, with its outcome in words. The payload is null if agents
 * do not see it.
 */
interface ShownState {
  readonly name: string
  readonly outcome: string
  readonly payload: Payload | null
  /** The page of an action, instead of a widget. */
  readonly page?: string | undefined
}

/** Renders widgets side by side, as one self-contained HTML page without a script. */
export async function renderStatesPage(
  title: string,
  states: readonly ShownState[],
): Promise<string> {
  const articles = states.map(
    ({ name, outcome, payload, page }) =>
      `<article><h2 dir="auto">${escapeHtml(name)}</h2><p>${escapeHtml(outcome)}</p>${payload === null ? '' : renderHtmlWidget(payload)}${page === undefined ? '' : renderFrame(name, page)}</article>`,
  )
  const body = `<main>\n${articles.join('\n')}\n</main>`
  const pages = states.flatMap(({ page = '' }) => [...page.matchAll(/<style>([^<]*)<\/style>/g)])
  const hashes = await Promise.all([...new Set(pages.map(([, css = '']) => css))].map(hashOf))
  return htmlPage({ title, styles: [WIDGET_STYLE, STATES_STYLE], body, hashes })
}

/**
 * Renders a page in a frame. The frame inherits the policy of the file, which must
 * allow its styles.
 */
function renderFrame(title: string, page: string): string {
  return `<iframe sandbox title="${escapeHtml(title)}" srcdoc="${escapeHtml(page)}"></iframe>`
}

async function hashOf(css: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(css))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
