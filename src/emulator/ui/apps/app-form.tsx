import type { InputHTMLAttributes } from 'preact'
import { useId, useLayoutEffect, useState } from 'preact/hooks'
import type { AppView, ControlProblem } from '../../protocol.ts'
import { changeApp, createApp } from '../state/apps.ts'
import { ControlError, errorMessage } from '../state/control.ts'
import { toUpdate, toDraft, toInput } from './app-draft.ts'
import { HeaderRows } from './header-rows.tsx'
import { WidgetRows } from './widget-rows.tsx'

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
      class="app-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="dialog-body">
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
            class: 'input mono',
            placeholder: 'http://127.0.0.1:8787/',
            spellcheck: false,
            onInput: ({ currentTarget }) => {
              setDraft({ ...draft, url: currentTarget.value })
            },
          }}
        />
        <HeaderRows
          headers={draft.headers}
          wrongName={path.startsWith('headers.') ? path.slice('headers.'.length) : null}
          onChange={(headers) => {
            setDraft({ ...draft, headers })
          }}
        />
        <WidgetRows
          widgets={draft.widgets}
          onChange={(widgets) => {
            setDraft({ ...draft, widgets })
          }}
        />
        {failure !== null && !isPlaced && (
          <p class="form-error" role="alert">
            {failure.text}
          </p>
        )}
      </div>
      <footer class="dialog-footer">
        <button type="button" class="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="button button-primary" disabled={isBusy}>
          {isBusy ? 'Connecting…' : app === undefined ? 'Create and connect' : 'Save'}
        </button>
      </footer>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly error: string | undefined
  readonly input: InputHTMLAttributes
}

function Field({ label, hint, error, input }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <input
        class="input"
        autocomplete="off"
        {...input}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
      {error !== undefined && (
        <p class="form-error" role="alert" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}
