import type { AppView } from '../../emulator/protocol/workspace.ts'
import { classes } from '../core/classes.ts'
import style from './status.module.css'

const STATES = {
  connected: ['Connected', 'green'],
  unverified: ['Unverified', 'orange'],
  disconnected: ['Disconnected', 'gray'],
} as const

/** The state of an app's connection, as a word and a color. */
export function StatePill({ app }: { readonly app: AppView }) {
  const [word, color] = app.handshaking ? ['Connecting…', 'blue'] : STATES[app.state]
  return <span class={classes(style.pill, color)}>{word}</span>
}
