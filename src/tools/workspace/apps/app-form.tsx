import { useContext, useState } from 'preact/hooks'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { Button } from '../parts/forms/button.tsx'
import { CurrentProblem, Field, Input } from '../parts/forms/field.tsx'
import { FormDialog } from '../parts/forms/form-dialog.tsx'
import { Rows } from '../parts/forms/rows.tsx'
import { type HeaderDraft, toDraft, toInput, toUpdate } from './app-draft.ts'
import { changeApp, createApp } from '../state/apps.ts'
import fieldStyle from '../parts/forms/field.module.css'

interface AppFormProps {
  /** The app to edit. Without it, the form creates a new app. */
  readonly app: AppView | undefined
  readonly onClose: () => void
}

/** The dialog that creates or edits an app. */
export function AppForm({ app, onClose }: AppFormProps) {
  const [initial] = useState(() => toDraft(app))
  const [draft, setDraft] = useState(initial)
  return (
    <FormDialog
      title={app === undefined ? 'Connect an app' : `Edit ${app.name}`}
      action={app === undefined ? 'Create and connect' : 'Save'}
      isDirty={JSON.stringify(draft) !== JSON.stringify(initial)}
      places={['name', 'url']}
      onSubmit={() =>
        app === undefined ? createApp(toInput(draft)) : changeApp(app, toUpdate(app, draft))
      }
      onClose={onClose}
    >
      <Field
        label="Name"
        path="name"
        value={draft.name}
        placeholder="Billing"
        onText={(name) => setDraft({ ...draft, name })}
      />
      <Field
        label="Endpoint URL"
        hint="Receives the handshake and data fetches as GET requests."
        path="url"
        value={draft.url}
        type="url"
        mono
        placeholder="http://127.0.0.1:8787/"
        onText={(url) => setDraft({ ...draft, url })}
      />
      <Rows
        legend="Custom headers"
        hint="Sent with every request, including the handshake. Add your endpoint’s secret here. Values are write-only."
        noun="header"
        items={draft.headers}
        nameOf={({ name }) => name}
        create={() => ({ name: '', value: '', isKept: false })}
        onChange={(headers) => setDraft({ ...draft, headers })}
      >
        {(header, number, onChange) => (
          <HeaderFields header={header} number={number} onChange={onChange} />
        )}
      </Rows>
      <Rows
        legend="Widgets"
        hint="Each widget is a separate panel with its own ID. Most apps have one, named after the app."
        noun="widget"
        items={draft.widgets}
        nameOf={(name) => name}
        min={1}
        create={() => ''}
        onChange={(widgets) => setDraft({ ...draft, widgets })}
      >
        {(name, number, onChange) => (
          <Input
            aria-label={`Widget ${number} name`}
            placeholder="App name"
            value={name}
            onText={onChange}
          />
        )}
      </Rows>
    </FormDialog>
  )
}

interface HeaderFieldsProps {
  readonly header: HeaderDraft
  readonly number: number
  readonly onChange: (header: HeaderDraft) => void
}

/** A custom header. Its value is write-only. */
function HeaderFields({ header, number, onChange }: HeaderFieldsProps) {
  const { name, value, isKept } = header
  const isWrong = useContext(CurrentProblem)?.path === `headers.${name.trim()}`
  return (
    <>
      <Input
        mono
        aria-label={`Header ${number} name`}
        aria-invalid={isWrong}
        placeholder="x-sidecard-secret"
        value={name}
        readOnly={isKept}
        onText={(text) => onChange({ ...header, name: text })}
      />
      {isKept ? (
        <span class={fieldStyle['kept-value']}>
          <span>Unchanged</span>
          <Button
            look="link"
            aria-label={`Replace the value of ${name}`}
            onClick={() => onChange({ ...header, isKept: false })}
          >
            Replace
          </Button>
        </span>
      ) : (
        <Input
          mono
          type="password"
          aria-label={`Header ${number} value`}
          aria-invalid={isWrong}
          placeholder="Value"
          autocomplete="new-password"
          value={value}
          onText={(text) => onChange({ ...header, value: text })}
        />
      )}
    </>
  )
}
