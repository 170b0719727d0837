import { useId, useState } from 'preact/hooks'
import { matches } from '../core/matches.ts'
import { set } from '../core/set.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { navigate, VIEWS } from '../core/route.ts'
import { runCheck } from '../state/checks.ts'
import { diagnose } from '../state/diagnostics.ts'
import { issueId } from '../state/issue.ts'
import { workspace } from '../core/workspace.ts'
import { Dialog } from '../parts/forms/dialog.tsx'
import { requestChoices } from '../state/request-choices.ts'
import { routeHash, setRequestAs } from '../state/request-as.ts'
import { openDialog } from './shortcuts.ts'
import fieldStyle from '../parts/forms/field.module.css'
import listStyle from '../parts/list.module.css'
import commandPaletteStyle from './command-palette.module.css'

interface Command {
  readonly label: string
  readonly hint: string
  readonly run: () => unknown
}

const MAX_SHOWN = 12

/** A search for commands, issues, apps, customers and states. */
export function CommandPalette() {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = findCommands(text)
  const close = set(openDialog, null)
  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    close()
    command.run()
  }
  return (
    <Dialog title="Commands" onClose={close}>
      <div class={commandPaletteStyle.palette}>
        <input
          class={fieldStyle.input}
          role="combobox"
          aria-label="Find a command"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Type a command, an issue, an app or a state"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (by !== undefined && found.length > 0) {
              event.preventDefault()
              setAt((at + by + found.length) % found.length)
            } else if (event.key === 'Enter') {
              event.preventDefault()
              choose(found[at])
            }
          }}
        />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a datalist cannot be styled, and has no hints */}
        <div role="listbox" id={`${id}-list`} aria-label="Commands">
          {found.map((command, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input keeps the focus and handles the keys
            <div
              key={`${command.label}\n${command.hint}`}
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element belongs to a select
              role="option"
              tabIndex={-1}
              class={commandPaletteStyle['palette-item']}
              aria-selected={index === at}
              onClick={() => choose(command)}
            >
              <span class="ellipsis" dir="auto">
                {command.label}
              </span>
              <span class="muted">{command.hint}</span>
            </div>
          ))}
        </div>
        {found.length === 0 && <p class={listStyle.nothing}>No matching commands</p>}
      </div>
    </Dialog>
  )
}

function findCommands(text: string): readonly Command[] {
  return allCommands()
    .filter((command) => matches(text, command))
    .slice(0, MAX_SHOWN)
}

/** The views that have no tab. */
const VIEWS_TO_OPEN = ['playground', 'api', 'sidebar'] as const

function allCommands(): readonly Command[] {
  const { apps = [], issues = [] } = workspace.value ?? {}
  return [
    ...VIEWS_TO_OPEN.map((view) => ({
      label: `Go to ${VIEWS[view]}`,
      hint: 'view',
      run: () => navigate(routeHash(view, view === 'sidebar' ? issueId.peek() : null)),
    })),
    { label: 'Connect an app', hint: 'app', run: () => navigate(routeHash('apps', 'new')) },
    ...requestChoices.value.map(({ name, group, request }) => ({
      label: `Request as: ${name}`,
      hint: group,
      run: () => setRequestAs(request),
    })),
    ...apps.map((app) => ({ label: `Check ${app.name}`, hint: 'app', run: () => openCheck(app) })),
    ...issues.map(({ id, number, title, requester, account }) => ({
      label: `#${number} ${title}`,
      hint: [account?.name ?? requester.name, requester.email, id].filter(Boolean).join(' · '),
      run: () => navigate(routeHash('issues', id)),
    })),
  ]
}

function openCheck(app: AppView): void {
  navigate(routeHash('issues', issueId.peek()))
  diagnose(app.widgets[0]?.id ?? '', 'check')
  void runCheck(app)
}
