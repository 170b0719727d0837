import { useSignal } from '@preact/signals'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { clearConsole, consoleEntries } from '../state/console.ts'
import { workspace } from '../state/workspace.ts'
import { ConsoleLines } from './console-lines.tsx'

/** The output of the dev command, linked to requests by trace ID. */
export function ConsoleView() {
  const filter = useSignal('')
  const entries = consoleEntries.value
  const words = filter.value.toLowerCase()
  const shown = (entries ?? []).filter(({ text }) => text.toLowerCase().includes(words))
  return (
    <main class="page console-page" id="main" tabIndex={-1}>
      <header class="console-head">
        <h1>Console</h1>
        <input
          class="input"
          type="search"
          aria-label="Filter the console"
          placeholder="Filter"
          autocomplete="off"
          spellcheck={false}
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value
          }}
        />
        <button
          type="button"
          class="button button-small"
          disabled={entries === null || entries.length === 0}
          onClick={() => void clearConsole()}
        >
          <Icon name="trash" />
          Clear
        </button>
      </header>
      {entries === null ? (
        <Skeleton lines={8} label="Loading the console" />
      ) : shown.length === 0 ? (
        <Empty
          icon="terminal"
          heading="h2"
          title={entries.length === 0 ? 'No output' : 'No matching lines'}
        >
          {entries.length === 0 && (
            <p>
              {workspace.value?.devServer == null
                ? 'The emulator did not start your endpoint, so its output is in your own terminal.'
                : 'Your dev command has no output yet.'}
            </p>
          )}
        </Empty>
      ) : (
        <ConsoleLines entries={shown} isFollowing />
      )}
    </main>
  )
}
