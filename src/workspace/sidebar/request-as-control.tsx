import { signal } from '@preact/signals'
import { notify } from '../core/notify.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/field.tsx'
import { CustomIdsDialog } from './custom-ids-dialog.tsx'
import { browserPresets } from './presets.ts'
import {
  chosenPreset,
  isCustomRequest,
  NORMAL,
  requestAs,
  requestKey,
  setRequestAs,
  unknownRequest,
} from './request-as.ts'
import style from './sidebar.module.css'

const CUSTOM = 'custom'

/** Whether the dialog for custom IDs is open. */
export const editsIds = signal(false)

/** The control that chooses the IDs of the requests: a scenario, a preset, or custom IDs. */
export function RequestAsControl() {
  const state = workspace.value
  const choose = (value: string) => {
    const [kind, ...rest] = value.split(':')
    const name = rest.join(':')
    if (kind === 'scenario') {
      const scenario = state?.scenarios.find(({ id }) => id === name)
      if (scenario !== undefined) setRequestAs({ ...NORMAL, scenario: scenario.id })
    } else if (kind === 'preset') setRequestAs({ ...NORMAL, presetId: name })
    else if (kind === 'browser') {
      const preset = browserPresets.peek().find((each) => each.name === name)
      if (preset !== undefined) setRequestAs({ ...NORMAL, params: preset.params })
    } else editsIds.value = true
  }
  return (
    <>
      <Select
        id="request-as"
        aria-label="Request as"
        value={currentValue()}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget
          currentTarget.value = currentValue()
          // A focused select would take the next shortcut.
          currentTarget.blur()
          choose(value)
        }}
      >
        <optgroup label="Scenarios">
          {(state?.scenarios ?? []).map(({ id, name }) => (
            <option key={id} value={`scenario:${id}`}>
              {name}
            </option>
          ))}
        </optgroup>
        {(state?.presets ?? []).length > 0 && (
          <optgroup label="Presets from this emulator">
            {state?.presets.map(({ id, name }) => (
              <option key={id} value={`preset:${id}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {browserPresets.value.length > 0 && (
          <optgroup label="Presets in this browser">
            {browserPresets.value.map(({ name }) => (
              <option key={name} value={`browser:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Your own customers">
          <option value={CUSTOM}>Custom IDs…</option>
        </optgroup>
      </Select>
      {editsIds.value && (
        <CustomIdsDialog
          onClose={() => {
            editsIds.value = false
          }}
          onApply={(params) => {
            editsIds.value = false
            const { scenario } = requestAs.peek()
            setRequestAs({ scenario, presetId: null, params })
            notify(
              Object.keys(params).length === 0
                ? 'Requesting without custom IDs'
                : 'Requesting with custom IDs',
            )
          }}
        />
      )}
    </>
  )
}

function currentValue(): string {
  const current = requestAs.value
  const hasParams = Object.keys(current.params).length > 0
  if (current.presetId !== null && !hasParams) return `preset:${current.presetId}`
  if (!hasParams) return `scenario:${current.scenario}`
  const key = requestKey(current)
  const preset = browserPresets.value.find(
    ({ params }) => requestKey({ ...NORMAL, params }) === key,
  )
  return preset === undefined ? CUSTOM : `browser:${preset.name}`
}

/** A banner that is shown if the sidebar does not use the issue's own IDs. */
export function RequestBanner() {
  if (unknownRequest.value !== null) return <UnknownRequest what={unknownRequest.value} />
  if (!isCustomRequest.value) return null
  const { scenario, params } = requestAs.value
  const { name, description } = describeRequest(scenario, Object.keys(params).length)
  return (
    <div class={style['request-banner']}>
      <output>
        <strong>{name}</strong> {description}
      </output>
      <Button look="link" onClick={() => setRequestAs(NORMAL)}>
        Back to normal
      </Button>
    </div>
  )
}

/** Without this banner, a link of a colleague would silently show another state. */
function UnknownRequest({ what }: { readonly what: string }) {
  return (
    <div class={style['request-banner']}>
      <output>
        <strong>{`Unknown ${what}.`}</strong>{' '}
        {`This emulator has no ${what} with the ID in the URL.`}
      </output>
      <Button look="link" onClick={() => setRequestAs(requestAs.peek())}>
        Ignore
      </Button>
    </div>
  )
}

function describeRequest(scenario: string, count: number): { name: string; description: string } {
  const preset = chosenPreset.value
  const known = workspace.value?.scenarios.find(({ id }) => id === scenario)
  const suffix = scenario === 'as-is' ? '' : ` Scenario: ${known?.name ?? scenario}.`
  if (count > 0) {
    return {
      name: 'Custom IDs.',
      description: `${count} ${count === 1 ? 'ID replaces' : 'IDs replace'} the issue’s own.${suffix}`,
    }
  }
  if (preset !== undefined) {
    return {
      name: `Preset: ${preset.name}.`,
      description: `Its IDs replace the issue’s own.${suffix}`,
    }
  }
  return { name: `${known?.name ?? scenario}.`, description: known?.description ?? '' }
}
