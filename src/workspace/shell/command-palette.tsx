import { set } from '../core/set.ts'
import { useId, useState } from 'preact/hooks'
import { matches } from '../core/matches.ts'
import { navigate } from '../core/route.ts'
import { connectApp, disconnectApp } from '../apps/apps.ts'
import { clearConsole } from '../console/console.ts'
import { theme } from '../core/preferences.ts'
import { togglePreset } from '../faults/set-faults.ts'
import { clearExchanges, exportHar, pauseExchanges } from '../inspector/exchanges.ts'
import { issueId } from '../issues/issue.ts'
import { editsIds } from '../sidebar/request-as-control.tsx'
import { workspace } from '../core/workspace.ts'
import { Dialog } from '../parts/dialog.tsx'
import { displayItems } from '../sidebar/display-options.tsx'
import { copyLink } from '../sidebar/copy-link.ts'
import { requestChoices } from '../sidebar/request-choices.ts'
import { routeHash, setRequestAs } from '../sidebar/request-as.ts'
import { SHORTCUTS, showsPalette } from './shortcuts.ts'
import fieldStyle from '../parts/field.module.css'
import listStyle from '../parts/list.module.css'
import commandPaletteStyle from './command-palette.module.css'

interface Command {
  readonly label: string
  readonly hint: string
  readonly run: () => unknown
}

const MAX_SHOWN = 12

/** A search for commands, issues, apps, scenarios and presets. */
export function CommandPalette() {
  if (!showsPalette.value) return null
  return <Palette />
}

function Palette() {
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const found = findCommands(text)
  const close = () => {
    showsPalette.value = false
  }
  const choose = (command: Command | undefined) => {
    if (command === undefined) return
    close()
    command.run()
  }
  return (
    <Dialog title="Commands" size="medium" onClose={close}>
      <div class={commandPaletteStyle.palette}>
        <input
          class={fieldStyle.input}
          role="combobox"
          aria-label="Find a command"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          placeholder="Type a command, an issue, an app or a scenario"
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

function openIdEditor(): void {
  navigate(routeHash('issues', issueId.peek()))
  editsIds.value = true
}

function allCommands(): readonly Command[] {
  const state = workspace.value
  const isPaused = state?.exchanges?.paused === true
  return [
    ...SHORTCUTS.filter(({ keys }) => keys !== 'Ctrl K').map(({ description, keys, run }) => ({
      label: description,
      hint: keys,
      run,
    })),
    { label: 'Copy link', hint: 'to this view', run: () => void copyLink(false) },
    { label: 'Copy link with IDs', hint: 'to this view', run: () => void copyLink(true) },
    ...(['light', 'dark', 'system'] as const).map((value) => ({
      label: `Use the ${value} theme`,
      hint: 'colors',
      run: set(theme, value),
    })),
    { label: 'Edit IDs', hint: 'custom IDs', run: openIdEditor },
    { label: 'Export requests as HAR', hint: 'inspector', run: () => void exportHar() },
    {
      label: isPaused ? 'Resume recording' : 'Pause recording',
      hint: 'inspector',
      run: () => void pauseExchanges(!isPaused),
    },
    // The first one has a key.
    ...displayItems()
      .slice(1)
      .map(({ label, onChoose }) => ({ label, hint: 'sidebar', run: onChoose })),
    ...(state?.faultPresets ?? []).map((preset) => ({
      label: `Fault: ${preset.name}`,
      hint: preset.description,
      run: () => void togglePreset(preset),
    })),
    { label: 'Clear requests', hint: 'inspector', run: () => void clearExchanges() },
    { label: 'Clear the console', hint: 'console', run: () => void clearConsole() },
    ...requestChoices.value.map(({ name, group, request }) => ({
      label: `Request as: ${name}`,
      hint: group,
      run: () => setRequestAs(request),
    })),
    ...(state?.apps ?? []).flatMap((app) =>
      Object.entries<() => unknown>({
        Check: () => navigate(routeHash('checks', app.id)),
        Connect: () => connectApp(app),
        Disconnect: () => disconnectApp(app),
        Edit: () => navigate(routeHash('apps', app.id)),
      }).map(([verb, run]) => ({ label: `${verb} ${app.name}`, hint: 'app', run })),
    ),
    ...(state?.issues ?? []).map(({ id, number, title, requester, account }) => ({
      label: `#${number} ${title}`,
      hint: [account?.name ?? requester.name, requester.email, id].filter(Boolean).join(' · '),
      run: () => navigate(routeHash('issues', id)),
    })),
  ]
}
