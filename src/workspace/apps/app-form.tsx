import { useLayoutEffect, useState } from 'preact/hooks'
import type { AppView, ControlProblem } from '../../emulator/protocol/workspace.ts'
import { ControlError, errorMessage } from '../core/control.ts'
import { Button } from '../parts/button.tsx'
import { Field, FormError } from '../parts/field.tsx'
import { toUpdate, toDraft, toInput } from './app-draft.ts'
import { changeApp, createApp } from './apps.ts'
import { HeaderRows } from './header-rows.tsx'
import { WidgetRows } from './widget-rows.tsx'
import dialogStyle from '../parts/dialog.module.css'

interface AppFormProps {
  /** The app to edit. Without it, the form creates a new app. */
  readonly app: AppView | undefined
  readonly onDone: () => void
  /** Called when the form becomes different from its app, or equal to it again. */
  readonly onDirty: (isDirty: boolean) => void
}

/** The form that creates or edits an app. */
export function AppForm({ app, onDone, onDirty }: AppFormProps) {
  const [initial] = useState(() => toDraft(app))
  const [draft, setDraft] = useState(initial)
  const isDirty = draft !== initial && JSON.stringify(draft) !== JSON.stringify(initial)
  // This runs before the next key, so that Escape right after a letter also asks for confirmation.
  useLayoutEffect(() => {
    onDirty(isDirty)
  }, [isDirty])
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; problem?: ControlProblem } | null>(null)
  const save = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await (app === undefined ? createApp(toInput(draft)) : changeApp(app, toUpdate(app, draft)))
      onDone()
    } catch (error) {
      const problem = error instanceof ControlError ? error.problem : undefined
      setFailure({ text: errorMessage(error), ...(problem !== undefined && { problem }) })
      setBusy(false)
    }
  }
  const path = failure?.problem?.path ?? ''
  const isPlaced = path === 'name' || path === 'url'
  return (
    <form
      class={dialogStyle['app-form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class={dialogStyle.body}>
        <Field
          label="Name"
          error={path === 'name' ? failure?.text : undefined}
          input={{
            value: draft.name,
            placeholder: 'Billing',
            onInput: ({ currentTarget }) => {
              setDraft({ ...draft, name: currentTarget.value })
            },
          }}
        />
        <Field
          label="Endpoint URL"
          hint="Receives the handshake and data fetches as GET requests."
          error={path === 'url' ? failure?.text : undefined}
          input={{
            value: draft.url,
            type: 'url',
            mono: true,
            placeholder: 'http://127.0.0.1:8787/',
            onInput: ({ currentTarget }) => {
              setDraft({ ...draft, url: currentTarget.value })
            },
          }}
        />
        <HeaderRows
          headers={draft.headers}
          wrongName={path.startsWith('headers.') ? path.slice('headers.'.length) : null}
          onChange={(headers) => setDraft({ ...draft, headers })}
        />
        <WidgetRows
          widgets={draft.widgets}
          onChange={(widgets) => setDraft({ ...draft, widgets })}
        />
        <FormError text={isPlaced ? null : failure?.text} />
      </div>
      <footer class={dialogStyle.footer}>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? 'Connecting…' : app === undefined ? 'Create and connect' : 'Save'}
        </Button>
      </footer>
    </form>
  )
}
