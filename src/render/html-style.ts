import type { StyleSheet } from './html-page.ts'

/** The style sheet of a page with a widget. Only the first rule applies outside `.sidecard-widget`. */
export const WIDGET_STYLE: StyleSheet = {
  css: `body { margin: 24px; background: #f5f4f1; }
.sidecard-widget { --line: #e3e1db; --ink: #1c1b19; --quiet: #66635c; --link: #2f4fc4; --page: #f5f4f1; --surface: #fff; color-scheme: light; box-sizing: border-box; width: 100%; max-width: 360px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--ink); font: 13px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; text-align: start; }
.sidecard-widget * { box-sizing: border-box; margin: 0; }
.sidecard-widget header { display: flex; align-items: center; min-height: 42px; padding: 8px 14px; border-bottom: 1px solid var(--line); font-weight: 600; }
.sidecard-widget .rows { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 9px 12px; }
.sidecard-widget > .rows { padding: 12px 14px 14px; }
.sidecard-widget .rows > * { grid-column: 1 / -1; min-width: 0; }
.sidecard-widget .card { padding: 10px 12px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--page); }
.sidecard-widget .card > h3 { margin-bottom: 8px; font-size: 13px; }
.sidecard-widget .row { display: grid; grid-template-columns: subgrid; row-gap: 2px; align-items: baseline; }
.sidecard-widget .long > * { grid-column: 1 / -1; }
.sidecard-widget .label { min-width: 0; color: var(--quiet); font-size: 12px; }
.sidecard-widget .cut { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.sidecard-widget .clamp { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 8; line-clamp: 8; overflow-wrap: anywhere; white-space: pre-line; }
.sidecard-widget ul { display: flex; flex-wrap: wrap; gap: 4px; min-height: 20px; padding: 0; list-style: none; }
.sidecard-widget li { max-width: 100%; padding: 0 8px; border-radius: 10px; font-size: 12px; font-weight: 550; line-height: 20px; }
.sidecard-widget .blue { background: #e4ecfd; color: #1f479e; }
.sidecard-widget .green { background: #dff2e5; color: #17603a; }
.sidecard-widget .red { background: #fbe4e2; color: #9b2119; }
.sidecard-widget .orange { background: #fdebd3; color: #84470a; }
.sidecard-widget .gray { background: #ebe9e4; color: #494741; }
.sidecard-widget a { max-width: 100%; color: var(--link); text-decoration: none; justify-self: start; }
.sidecard-widget a:hover, .sidecard-widget a:focus-visible { text-decoration: underline; }
.sidecard-widget .button { padding: 5px 12px; border: 1px solid #cfccc4; border-radius: 8px; background: var(--surface); color: var(--ink); font-weight: 550; text-align: center; justify-self: stretch; }
.sidecard-widget a small { display: block; color: var(--quiet); font-size: 11px; overflow-wrap: anywhere; white-space: normal; }
.sidecard-widget hr { width: 100%; height: 1px; border: 0; background: var(--line); }
.sidecard-widget .empty { color: var(--quiet); text-align: center; }
`,
  hash: 'v4q+lduCMEInjSfYaXkCRodfMGvO1QGFOzdFc9vYaG4=',
}
