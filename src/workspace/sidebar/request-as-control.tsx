import { set } from '../core/set.ts'
import { signal } from '@preact/signals'
import { notify } from '../core/notify.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/field.tsx'
import { CustomIdsDialog } from './custom-ids-dialog.tsx'
import {
  chosenPreset,
  isCustomRequest,
  NORMAL,
  requestAs,
  setRequestAs,
  unknownRequest,
} from './request-as.ts'
import type { RequestAs } from './request-as.ts'
import { currentChoice, requestChoices } from './request-choices.ts'
import style from './sidebar.module.css'

const CUSTOM = 'custom'

/** Whether the dialog for custom IDs is open. */
export const editsIds = signal(false)

/** The control that chooses the IDs of the requests: a scenario, a preset, or custom IDs. */
export function RequestAsControl() {
  const current = currentChoice.value?.key ?? CUSTOM
  const groups = Map.groupBy(requestChoices.value, ({ group }) => group)
  return (
    <>
      <Select
        id="request-as"
        aria-label="Request as"
        value={current}
        onChange={({ currentTarget }) => {
          const choice = requestChoices.peek().find(({ key }) => key === currentTarget.value)
          currentTarget.value = current
          // A focused select would take the next shortcut.
          currentTarget.blur()
          if (choice === undefined) editsIds.value = true
          else setRequestAs(choice.request)
        }}
      >
        {[...groups].map(([group, choices]) => (
          <optgroup key={group} label={group}>
            {choices.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
        <optgroup label="Your own customers">
          <option value={CUSTOM}>Custom IDs…</option>
        </optgroup>
      </Select>
      {editsIds.value && (
        <CustomIdsDialog
          onClose={set(editsIds, false)}
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

/** A banner that is shown if the sidebar does not use the issue's own IDs. */
export function RequestBanner() {
  const unknown = unknownRequest.value
  // Without this banner, a link of a colleague would silently show another state.
  if (unknown !== null) {
    return (
      <Banner
        name={`Unknown ${unknown}.`}
        text={`This emulator has no ${unknown} with the ID in the URL.`}
        action="Ignore"
        next={requestAs.value}
      />
    )
  }
  if (!isCustomRequest.value) return null
  return <Banner {...describeRequest()} action="Back to normal" next={NORMAL} />
}

interface BannerProps {
  readonly name: string
  readonly text: string
  readonly action: string
  readonly next: RequestAs
}

function Banner({ name, text, action, next }: BannerProps) {
  return (
    <div class={style['request-banner']}>
      <output>
        <strong>{name}</strong> {text}
      </output>
      <Button look="link" onClick={() => setRequestAs(next)}>
        {action}
      </Button>
    </div>
  )
}

function describeRequest(): Pick<BannerProps, 'name' | 'text'> {
  const { scenario, params } = requestAs.value
  const preset = chosenPreset.value
  const known = workspace.value?.scenarios.find(({ id }) => id === scenario)
  const name = known?.name ?? scenario
  const suffix = scenario === 'as-is' ? '' : ` Scenario: ${name}.`
  const { length } = Object.keys(params)
  if (length > 0) {
    const ids = length === 1 ? 'ID replaces' : 'IDs replace'
    return { name: 'Custom IDs.', text: `${length} ${ids} the issue’s own.${suffix}` }
  }
  if (preset === undefined) return { name: `${name}.`, text: known?.description ?? '' }
  return { name: `Preset: ${preset.name}.`, text: `Its IDs replace the issue’s own.${suffix}` }
}
