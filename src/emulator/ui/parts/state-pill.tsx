import type { AppView } from '../../protocol.ts'

const WORDS = {
  connected: 'Connected',
  unverified: 'Unverified',
  disconnected: 'Disconnected',
} as const

/** The state of an app's connection, as a word and a color. */
export function StatePill({ app }: { readonly app: AppView }) {
  if (app.handshaking) return <span class="pill pill-busy">Connecting…</span>
  return <span class={`pill pill-${app.state}`}>{WORDS[app.state]}</span>
}
