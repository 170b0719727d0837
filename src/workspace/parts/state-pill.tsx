import type { AppView } from '../../emulator/protocol/workspace.ts'
import { classes } from '../core/classes.ts'
import style from './status.module.css'

const WORDS = {
  connected: 'Connected',
  unverified: 'Unverified',
  disconnected: 'Disconnected',
} as const

/** The state of an app's connection, as a word and a color. */
export function StatePill({ app }: { readonly app: AppView }) {
  if (app.handshaking)
    return <span class={classes(style.pill, style['pill-busy'])}>Connecting…</span>
  return <span class={classes(style.pill, style[`pill-${app.state}`])}>{WORDS[app.state]}</span>
}
