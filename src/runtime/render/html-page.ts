import { escapeHtml } from './escape-html.ts'

/** A style sheet of a page. */
export interface StyleSheet {
  readonly css: string
  /** The SHA-256 of the style sheet in base64, for the page's Content-Security-Policy. A test compares them. */
  readonly hash: string
}

/** The parts of a page. */
interface HtmlPage {
  /** Plain text. */
  readonly title: string
  readonly styles: readonly StyleSheet[]
  /** Markup in which all untrusted text is escaped. */
  readonly body: string
}

interface HtmlDocument extends HtmlPage {
  /** The language, as a BCP 47 tag. */
  readonly lang: string
  readonly direction: 'ltr' | 'rtl'
  /** Markup of further elements of the head. */
  readonly head: string
}

/**
 * Renders a self-contained HTML page. Its Content-Security-Policy forbids scripts
 * and every remote resource.
 *
 * @param page the parts of the page; `hashes` are those of additional style
 * sheets, in frames
 */
export function htmlPage(page: HtmlPage & { readonly hashes?: readonly string[] }): string {
  const hashes = [...page.styles.map(({ hash }) => hash), ...(page.hashes ?? [])]
  const sources = hashes.map((hash) => `'sha256-${hash}'`).join(' ')
  const head = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${sources}; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">`
  return htmlDocument({ ...page, lang: 'en', direction: 'ltr', head })
}

/** Renders an HTML document, whose policy is up to the caller. */
export function htmlDocument({ title, styles, body, lang, direction, head }: HtmlDocument): string {
  const dir = direction === 'rtl' ? ' dir="rtl"' : ''
  return `<!doctype html>
<html lang="${escapeHtml(lang)}"${dir}>
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${styles.map(({ css }) => `<style>${css}</style>`).join('\n')}
</head>
<body>
${body}
</body>
</html>
`
}
