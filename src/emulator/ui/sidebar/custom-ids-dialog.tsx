import { useId, useState } from 'preact/hooks'
import { FETCH_DATA_PARAMETERS } from '../../../contract/parameters.ts'
import type { FetchDataParameter } from '../../../contract/parameters.ts'
import { MAX_ID_LENGTH } from '../../protocol-exchanges.ts'
import type { CustomIds } from '../../protocol-exchanges.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { browserPresets, deletePreset, savePreset } from '../state/presets.ts'
import { chosenPreset, requestAs } from '../state/request-as.ts'
import { sentParameters } from '../state/sent-parameters.ts'

const LABELS = {
  app_id: 'App ID',
  widget_id: 'Widget ID',
  issue_id: 'Issue ID',
  organization_id: 'Organization ID',
  account_id: 'Account ID',
  requester_id: 'Requester ID',
  requester_email: 'Requester email',
} satisfies Record<FetchDataParameter, string>

interface CustomIdsDialogProps {
  readonly onApply: (params: CustomIds) => void
  readonly onClose: () => void
}

/** A form for the eight parameters of a data fetch. An empty field sends the issue's own ID. */
export function CustomIdsDialog({ onApply, onClose }: CustomIdsDialogProps) {
  const initial = { ...chosenPreset.peek()?.params, ...requestAs.peek().params }
  const [params, setParams] = useState<CustomIds>(initial)
  const [name, setName] = useState('')
  const isDirty = JSON.stringify(params) !== JSON.stringify(initial)
  return (
    <Dialog title="Custom IDs" onClose={onClose} isDirty={isDirty}>
      <form
        class="app-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onApply(params)
        }}
      >
        <div class="dialog-body">
          <p class="hint">
            An empty field sends the issue’s own ID. These IDs stay in this browser and in the URL.
          </p>
          <div class="id-fields">
            <RequestType />
            {FETCH_DATA_PARAMETERS.map((parameter) => (
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
          <fieldset class="field-group">
            <legend>Presets of this browser</legend>
            <div class="preset-row">
              <input
                class="input"
                aria-label="Preset name"
                placeholder="Such as: Acme, past due"
                autocomplete="off"
                value={name}
                onInput={({ currentTarget }) => {
                  setName(currentTarget.value)
                }}
              />
              <button
                type="button"
                class="button button-small"
                disabled={name.trim() === '' || Object.keys(params).length === 0}
                onClick={() => {
                  savePreset({ name: name.trim(), params })
                  setName('')
                }}
              >
                <Icon name="save" />
                Save preset
              </button>
            </div>
            <PresetList onLoad={setParams} />
          </fieldset>
        </div>
        <footer class="dialog-footer">
          <button
            type="button"
            class="button"
            onClick={() => {
              setParams({})
            }}
          >
            Clear
          </button>
          <button type="submit" class="button button-primary">
            Apply
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

function RequestType() {
  const id = useId()
  return (
    <div class="field">
      <label htmlFor={id}>Request type</label>
      <input id={id} class="input mono" readOnly value="fetch_data" />
    </div>
  )
}

interface IdFieldProps {
  readonly parameter: FetchDataParameter
  readonly value: string | null | undefined
  readonly onChange: (value: string | null | undefined) => void
}

function IdField({ parameter, value, onChange }: IdFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>
        {LABELS[parameter]} <code class="muted">{parameter}</code>
      </label>
      <div class="id-row">
        <input
          id={id}
          class="input mono"
          autocomplete="off"
          spellcheck={false}
          maxLength={MAX_ID_LENGTH}
          disabled={value === null}
          placeholder={value === null ? 'not sent' : (sentParameters.value.get(parameter) ?? '')}
          value={value ?? ''}
          onInput={({ currentTarget }) => {
            onChange(currentTarget.value === '' ? undefined : currentTarget.value)
          }}
        />
        <button
          type="button"
          class="toggle"
          aria-pressed={value === null}
          aria-label={`Omit ${parameter}`}
          onClick={() => {
            onChange(value === null ? undefined : null)
          }}
        >
          Omit
        </button>
      </div>
    </div>
  )
}

function PresetList({ onLoad }: { readonly onLoad: (params: CustomIds) => void }) {
  if (browserPresets.value.length === 0) return null
  return (
    <ul class="preset-list">
      {browserPresets.value.map(({ name, params }) => (
        <li key={name}>
          <button
            type="button"
            class="as-link"
            onClick={() => {
              onLoad(params)
            }}
          >
            {name}
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={`Delete preset ${name}`}
            onClick={() => {
              deletePreset(name)
            }}
          >
            <Icon name="trash" />
          </button>
        </li>
      ))}
    </ul>
  )
}
