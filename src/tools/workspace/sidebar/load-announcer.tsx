import { useEffect, useState } from 'preact/hooks'
import { describeOutcome } from '../core/outcome.ts'
import { shownWidgets } from '../state/widgets.ts'

/** Announces the results to screen readers when all widgets have loaded. */
export function LoadAnnouncer() {
  const [text, setText] = useState('')
  const results = readResults()
  useEffect(() => {
    if (results !== null) setText(results)
  }, [results])
  return (
    <output class="visually-hidden" data-announcer="widgets">
      {text}
    </output>
  )
}

/** Returns one sentence for each widget, or null while one is loading. */
function readResults(): string | null {
  const sentences: string[] = []
  for (const { app, name, load, view } of shownWidgets.value) {
    if (load === undefined || app.state !== 'connected') continue
    if (load.startedAt !== null) return null
    if (load.error !== null) sentences.push(`${name}: ${load.error}`)
    else if (view !== null) {
      const { text, tone } = describeOutcome(view)
      const reason = tone === 'bad' && view.message !== '' ? `: ${view.message}` : ''
      sentences.push(`${name}: ${text}${reason}.`)
    }
  }
  return sentences.join(' ')
}
