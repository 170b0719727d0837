import { workspace } from '../state/workspace.ts'

/** The reason why the dev command of `sidecard dev` is not running. */
export function DevServerNote() {
  const server = workspace.value?.devServer
  if (server == null || server.state === 'running') return null
  if (server.state === 'starting') return <p class="hint">Your dev command is starting…</p>
  const { message, location, excerpt } = server
  return (
    <section class="developer-note developer-note-bad" role="alert">
      <p class="finding-message" dir="auto">
        <strong>{message}</strong>
      </p>
      {location !== null && (
        <p>
          <code>
            {location.file}:{location.line}:{location.column}
          </code>
        </p>
      )}
      {excerpt !== '' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        <pre class="code-block" dir="ltr" tabIndex={0} aria-label="Output of the command">
          {excerpt}
        </pre>
      )}
    </section>
  )
}
