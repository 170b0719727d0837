import type { StyleSheet } from '../../render/html-page.ts'

/** The style sheet of the HTML report, without that of the widget. */
export const REPORT_STYLE: StyleSheet = {
  css: `main { max-width: 960px; margin: 0 auto; color: #1c1b19; font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; }
h2 { margin: 28px 0 8px; font-size: 17px; }
h3 { display: inline; font-size: 14px; }
code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { padding: 12px 16px; border-radius: 8px; font-size: 16px; font-weight: 600; }
.verdict.good { background: #dff2e5; color: #17603a; }
.verdict.caution { background: #fdebd3; color: #84470a; }
.verdict.bad, .stale { background: #fbe4e2; color: #9b2119; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; }
.facts dt, .quiet { color: #66635c; }
.facts dd { margin: 0; }
details { margin: 6px 0; padding: 8px 12px; border: 1px solid #e3e1db; border-radius: 8px; background: #fff; }
.rules { padding: 0; list-style: none; }
.rules li { padding: 6px 0; border-top: 1px solid #f0eee9; }
.rules p { margin: 2px 0 2px 16px; }
.status { display: inline-block; min-width: 96px; font-weight: 600; }
.fail .status { color: #9b2119; }
.warn .status { color: #84470a; }
.pass .status { color: #17603a; }
.fix { color: #1f479e; }
table { width: 100%; border-collapse: collapse; background: #fff; }
caption { padding: 6px 0; text-align: start; }
th, td { padding: 3px 8px; border-bottom: 1px solid #f0eee9; text-align: start; vertical-align: top; font-weight: 400; }
.timing { max-width: 480px; }
meter { width: 100%; }
`,
  hash: 'w3iG+4pMun6Kq8GtwIZJzz3jCL3AGltfStUsmZliYXk=',
}
