import type { StyleSheet } from '../../render/html-page.ts'

/** The style sheet of the page, without that of the components. */
export const ACTION_STYLE: StyleSheet = {
  css: `main { box-sizing: border-box; width: 100%; max-width: 480px; margin: 5vh auto; padding: 24px 28px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
main > * { margin: 0 0 16px; }
main > :last-child { margin-bottom: 0; }
main > .above { margin-bottom: 2px; color: var(--quiet); font-size: 13px; font-weight: 550; }
h1 { font-size: 22px; line-height: 1.3; }
h1.good::before, h1.caution::before, h1.bad::before { display: inline-block; width: 28px; height: 28px; margin-inline-end: 10px; border-radius: 50%; font-size: 16px; line-height: 28px; text-align: center; vertical-align: 3px; outline: 1px solid transparent; }
h1.good::before { content: '✓' / ''; background: var(--green-back); color: var(--green); }
h1.caution::before { content: '!' / ''; background: var(--orange-back); color: var(--orange); }
h1.bad::before { content: '!' / ''; background: var(--red-back); color: var(--red); }
.message[role], .notice { padding: 10px 14px; border: 1px solid transparent; border-radius: 8px; }
.message.bad[role] { background: var(--red-back); color: var(--red); }
.message.caution[role] { background: var(--orange-back); color: var(--orange); }
.sentence { font-size: 16px; font-weight: 550; }
.notice { background: var(--orange-back); color: var(--orange); }
dl { margin: 0; } dt { color: var(--quiet); font-size: 13px; } dd { margin: 0 0 8px; text-align: -webkit-match-parent; text-align: match-parent; white-space: pre-wrap; }
a { color: var(--link); }
main > .sidecard-widget { max-width: none; background: var(--page); font-size: 14px; }
main > .sidecard-widget .label { font-size: 13px; }
.quiet { color: var(--quiet); font-size: 13px; }
main > .quiet { margin-bottom: 4px; }
code { font: 13px/1.4 ui-monospace, monospace; user-select: all; }
form { display: grid; gap: 16px; padding-top: 4px; }
.field { display: grid; gap: 5px; }
label { font-weight: 550; }
label .quiet { font-weight: 400; }
input, textarea, select, button { box-sizing: border-box; width: 100%; min-height: 42px; padding: 8px 12px; border: 1px solid var(--control); border-radius: 8px; background: var(--surface); color: inherit; font: inherit; }
textarea { resize: vertical; }
input[type='hidden'] { display: none; }
.tick { display: flex; gap: 10px; align-items: center; min-height: 42px; }
.tick input { flex: none; width: 20px; min-height: 20px; margin: 0; accent-color: var(--accent); }
.field .quiet, form > .quiet { margin: 0; }
button.second { border-color: var(--control); background: var(--surface); color: inherit; }
button.second:hover { background: var(--page); }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border-color: var(--red); box-shadow: inset 0 0 0 1px var(--red); }
.problem { margin: 0; color: var(--red); font-size: 13px; font-weight: 550; }
button { border-color: transparent; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
button:hover { background: var(--accent-hover); }
.pair { display: flex; flex-wrap: wrap; gap: 12px; justify-content: space-between; }
.pair button { width: auto; min-width: 40%; }
.sign-out { justify-content: start; }
.sign-out button { min-height: 32px; padding: 4px 12px; font-size: 13px; font-weight: 400; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 520px) { body { margin: 16px; background: var(--surface); } main { margin: 0; padding: 0; border: 0; border-radius: 0; } }
`,
  hash: 'Ertkv5dM5Kv3DQdkOEl1ss7e1T8ZCqrDgdMd1aydX9k=',
}
