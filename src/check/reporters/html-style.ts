import type { StyleSheet } from '../../render/html-page.ts'

/** The style sheet of the HTML report, with the colors of that of the widget. */
export const REPORT_STYLE: StyleSheet = {
  css: `main { max-width: 960px; margin: 0 auto; color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; }
h2 { margin: 28px 0 8px; font-size: 17px; }
h3 { display: inline; font-size: 14px; }
code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { padding: 12px 16px; border-radius: 8px; font-size: 16px; font-weight: 600; }
.verdict.good { background: var(--green-back); color: var(--green); }
.verdict.caution { background: var(--orange-back); color: var(--orange); }
.verdict.bad, .stale { background: var(--red-back); color: var(--red); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
.facts dt, .quiet { color: var(--quiet); }
.facts dd { margin: 0; }
details { margin: 6px 0; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.rules { padding: 0; list-style: none; }
.rules li { padding: 6px 0; border-top: 1px solid var(--line); }
.rules p { margin: 2px 0 2px 16px; }
.status { display: inline-block; min-width: 96px; font-weight: 600; }
.fail .status { color: var(--red); }
.warn .status { color: var(--orange); }
.pass .status { color: var(--green); }
.fix { color: var(--blue); }
table { width: 100%; border-collapse: collapse; background: var(--surface); }
caption { padding: 6px 0; text-align: start; }
th, td { padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; font-weight: 400; }
.timing { max-width: 480px; }
meter { width: 100%; }
`,
  hash: 'ijFFXvg/62ubdBrf5ZzqG+9Dw33/cEIQChzGrkLKxe4=',
}
