import type { StyleSheet } from './html-page.ts'

/**
 * The style sheet of a page with a widget. Other style sheets of the page also use
 * the colors of the first rules, for light and dark screens. All other rules only
 * apply inside `.sidecard-widget`.
 */
export const WIDGET_STYLE: StyleSheet = {
  css: `:root { --line: #e3e1db; --ink: #1c1b19; --quiet: #66635c; --link: #2f4fc4; --page: #f5f4f1; --surface: #fff; --control: #8d8a82; --accent: #2f4fc4; --accent-hover: #263fa0; --on-accent: #fff; --blue-back: #e4ecfd; --blue: #1f479e; --green-back: #dff2e5; --green: #17603a; --red-back: #fbe4e2; --red: #9b2119; --orange-back: #fdebd3; --orange: #84470a; --gray-back: #ebe9e4; --gray: #494741; color-scheme: light; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3833; --ink: #efede8; --quiet: #a9a59b; --link: #9db4ff; --page: #191815; --surface: #23211d; --control: #7d7a72; --accent: #4a67d6; --accent-hover: #5a76e0; --on-accent: #fff; --blue-back: #1e2e55; --blue: #b7cbff; --green-back: #14392a; --green: #9fdcba; --red-back: #4a1f1c; --red: #ffb9b2; --orange-back: #44300f; --orange: #f7c98c; --gray-back: #37352f; --gray: #d2cfc7; color-scheme: dark; } }
body { margin: 24px; background: var(--page); }
.sidecard-widget { box-sizing: border-box; width: 100%; max-width: 360px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--ink); font: 13px/1.45 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; text-align: start; }
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
.sidecard-widget .blue { background: var(--blue-back); color: var(--blue); }
.sidecard-widget .green { background: var(--green-back); color: var(--green); }
.sidecard-widget .red { background: var(--red-back); color: var(--red); }
.sidecard-widget .orange { background: var(--orange-back); color: var(--orange); }
.sidecard-widget .gray { background: var(--gray-back); color: var(--gray); }
.sidecard-widget a { max-width: 100%; color: var(--link); text-decoration: none; justify-self: start; }
.sidecard-widget a:hover, .sidecard-widget a:focus-visible { text-decoration: underline; }
.sidecard-widget .button { padding: 5px 12px; border: 1px solid var(--control); border-radius: 8px; background: var(--surface); color: var(--ink); font-weight: 550; text-align: center; justify-self: stretch; }
.sidecard-widget a small { display: block; color: var(--quiet); font-size: 11px; overflow-wrap: anywhere; white-space: normal; }
.sidecard-widget hr { width: 100%; height: 1px; border: 0; background: var(--line); }
.sidecard-widget .empty { color: var(--quiet); text-align: center; }
`,
  hash: '0KiM7usKquugjzqbL+pAc5SCLlxQZLoaNgFGploKgRc=',
}
