import { set } from '../core/set.ts'
import { useSignal } from '@preact/signals'
import { matches } from '../core/matches.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/forms/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Search } from '../parts/forms/field.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { ConsoleLines } from '../parts/console/console-lines.tsx'
import { clearConsole, consoleEntries } from '../state/console.ts'
import consoleStyle from '../parts/console/console.module.css'

/** The output of the dev command, linked to requests by trace ID. */
export function ConsoleTab() {
  const filter = useSignal('')
  const showsChecks = useSignal(false)
  const entries = consoleEntries.value
  const ofChecks = (entries ?? []).filter(({ isOfCheck }) => isOfCheck).length
  const shown = (entries ?? []).filter(
    ({ text, isOfCheck }) => (showsChecks.value || !isOfCheck) && matches(filter.value, text),
  )
  return (
    <div class={consoleStyle.page}>
      <div class={consoleStyle.head}>
        <Search label="Filter the console" placeholder="Filter" text={filter} />
        {ofChecks > 0 && (
          <Button
            look="toggle"
            aria-pressed={showsChecks.value}
            onClick={set(showsChecks, !showsChecks.value)}
          >
            Lines of checks ({ofChecks})
          </Button>
        )}
        <Button
          small
          icon="trash"
          disabled={entries === null || entries.length === 0}
          onClick={() => void clearConsole()}
        >
          Clear
        </Button>
      </div>
      {entries === null ? (
        <Skeleton lines={8} label="Loading the console" />
      ) : shown.length === 0 ? (
        <Empty icon="terminal" title={entries.length === 0 ? 'No output' : 'No matching lines'}>
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
    </div>
  )
}
