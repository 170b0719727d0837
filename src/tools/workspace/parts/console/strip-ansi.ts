// oxlint-disable-next-line no-control-regex -- ANSI escapes are control characters
const ESCAPES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\-_])/g
// oxlint-disable-next-line no-control-regex -- they have no glyph, or move the cursor
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g

/** Removes ANSI escapes and other control characters, except tabs and line breaks. */
export function stripAnsi(text: string): string {
  return text.replaceAll(ESCAPES, '').replaceAll(CONTROLS, '')
}
