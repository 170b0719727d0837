import { CodeBlock } from '../parts/code-block.tsx'
import { workspace } from '../core/workspace.ts'
import { classes } from '../core/classes.ts'
import findingsStyle from '../parts/findings.module.css'
import diagnosticsStyle from './diagnostics.module.css'

/** The reason why the dev command of `sidecard dev` is not running. */
export function DevServerNote() {
  const server = workspace.value?.devServer
  if (server == null || server.state === 'running') return null
  if (server.state === 'starting') return <p class="hint">Your dev command is starting…</p>
  const { message, location, excerpt } = server
  return (
    <section
      class={classes(diagnosticsStyle['developer-note'], diagnosticsStyle['developer-note-bad'])}
      role="alert"
    >
      <p class={findingsStyle['finding-message']} dir="auto">
        <strong>{message}</strong>
      </p>
      {location !== null && (
        <p>
          <code>
            {location.file}:{location.line}:{location.column}
          </code>
        </p>
      )}
      {excerpt !== '' && <CodeBlock label="Output of the command">{excerpt}</CodeBlock>}
    </section>
  )
}
