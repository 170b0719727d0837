import type { AppView } from '../../emulator/protocol/workspace.ts'
import { DeveloperNote } from './developer-note.tsx'
import style from '../parts/layout.module.css'

/** The reason why the handshake of an unverified app failed, for its developer. */
export function ConnectionNote({ app }: { readonly app: AppView }) {
  const { lastHandshake, state } = app
  if (state !== 'unverified' || lastHandshake?.result.ok !== false) return null
  const { message, fix, explanation, injected } = lastHandshake.result
  return (
    <DeveloperNote
      message={injected === null ? message : `${message} (fault injected by the emulator)`}
      fix={fix}
      findings={[]}
      exchangeId={lastHandshake.exchangeId}
    >
      <p>{explanation.saw}</p>
      <ul class={style['explanation-changes']}>
        {explanation.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </DeveloperNote>
  )
}
