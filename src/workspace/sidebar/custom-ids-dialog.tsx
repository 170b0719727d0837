import { useState } from 'preact/hooks'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import { MAX_ID_LENGTH } from '../../emulator/protocol/exchanges.ts'
import type { CustomIds } from '../../emulator/protocol/exchanges.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Field, Input } from '../parts/field.tsx'
import { browserPresets, deletePreset, savePreset } from './presets.ts'
import { chosenPreset, requestAs } from './request-as.ts'
import { sentParameters } from './sent-parameters.ts'
import fieldStyle from '../parts/field.module.css'
import sidebarStyle from './sidebar.module.css'

/** The parameters that identify the customer first. */
const LABELS = {
  account_id: 'Account ID',
  requester_email: 'Requester email',
  requester_id: 'Requester ID',
  organization_id: 'Organization ID',
  issue_id: 'Issue ID',
  app_id: 'App ID',
  widget_id: 'Widget ID',
} satisfies Record<FetchDataParameter, string>

const PARAMETERS = Object.keys(LABELS) as FetchDataParameter[]

interface CustomIdsDialogProps {
  readonly onApply: (params: CustomIds) => void
  readonly onClose: () => void
}

/** A form for the parameters of a data fetch. An empty field sends the issue's own ID. */
export function CustomIdsDialog({ onApply, onClose }: CustomIdsDialogProps) {
  const initial = { ...chosenPreset.peek()?.params, ...requestAs.peek().params }
  const [params, setParams] = useState<CustomIds>(initial)
  const [name, setName] = useState('')
  const isDirty = JSON.stringify(params) !== JSON.stringify(initial)
  return (
    <FormDialog
      title="Custom IDs"
      action="Apply"
      other={<Button onClick={() => setParams({})}>Clear</Button>}
      isDirty={isDirty}
      onSubmit={async () => onApply(params)}
      onClose={onClose}
    >
      {() => (
        <>
          <p class="hint">
            An empty field sends the issue’s own ID. These IDs stay in this browser and in the URL.
          </p>
          <div class={sidebarStyle['id-fields']}>
            {PARAMETERS.map((parameter) => (
              <IdField
                key={parameter}
                parameter={parameter}
                value={params[parameter]}
                onChange={(value) => {
                  const { [parameter]: _removed, ...others } = params
                  setParams(value === undefined ? others : { ...others, [parameter]: value })
                }}
              />
            ))}
          </div>
          <fieldset class={fieldStyle.group}>
            <legend>Presets in this browser</legend>
            <div class={fieldStyle.row}>
              <Input
                aria-label="Preset name"
                placeholder="For example: Acme, past due"
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
              <Button
                small
                icon="save"
                disabled={name.trim() === '' || Object.keys(params).length === 0}
                onClick={() => {
                  savePreset({ name: name.trim(), params })
                  setName('')
                }}
              >
                Save preset
              </Button>
            </div>
            <PresetList onLoad={setParams} />
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}

interface IdFieldProps {
  readonly parameter: FetchDataParameter
  readonly value: string | null | undefined
  readonly onChange: (value: string | null | undefined) => void
}

function IdField({ parameter, value, onChange }: IdFieldProps) {
  const isOmitted = value === null
  return (
    <Field
      label={
        <>
          {LABELS[parameter]} <code class="muted">{parameter}</code>
        </>
      }
      input={{
        mono: true,
        maxLength: MAX_ID_LENGTH,
        disabled: isOmitted,
        placeholder: isOmitted ? 'not sent' : (sentParameters.value.get(parameter) ?? ''),
        value: value ?? '',
        onInput: ({ currentTarget }) => onChange(currentTarget.value || undefined),
      }}
    >
      <Button
        look="toggle"
        aria-pressed={isOmitted}
        aria-label={`Omit ${parameter}`}
        onClick={() => onChange(isOmitted ? undefined : null)}
      >
        Omit
      </Button>
    </Field>
  )
}

function PresetList({ onLoad }: { readonly onLoad: (params: CustomIds) => void }) {
  if (browserPresets.value.length === 0) return null
  return (
    <ul class="row wrap">
      {browserPresets.value.map(({ name, params }) => (
        <li key={name} class={sidebarStyle.preset}>
          <Button look="link" onClick={() => onLoad(params)}>
            {name}
          </Button>
          <IconButton
            icon="trash"
            label={`Delete preset ${name}`}
            onClick={() => deletePreset(name)}
          />
        </li>
      ))}
    </ul>
  )
}
