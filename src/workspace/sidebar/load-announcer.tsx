import { useEffect, useState } from 'preact/hooks'
import { describeOutcome } from '../core/outcome.ts'
import { apps } from '../core/workspace.ts'
import { issueId } from '../state/issue.ts'
import { widgets } from '../state/widgets.ts'

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
  for (const app of apps.value) {
    for (const { id, name } of app.widgets) {
      const load = widgets.value.get(id)
      if (load === undefined || load.issueId !== issueId.value || app.state !== 'connected')
        continue
      if (load.startedAt !== null) return null
      if (load.error !== null) sentences.push(`${name}: ${load.error}`)
      else if (load.view !== null) {
        const { text, tone } = describeOutcome(load.view.outcome)
        const reason = tone === 'bad' && load.view.message !== '' ? `: ${load.view.message}` : ''
        sentences.push(`${name}: ${text}${reason}.`)
      }
    }
  }
  return sentences.join(' ')
}
