import { useState } from 'preact/hooks'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { control } from '../core/control.ts'
import { notify } from '../core/notify.ts'
import { useLoaded } from '../core/use-loaded.ts'
import { workspace } from '../core/workspace.ts'
import { Field } from '../parts/forms/field.tsx'
import { FormDialog } from '../parts/forms/form-dialog.tsx'
import fieldStyle from '../parts/forms/field.module.css'

interface SaveDialogProps {
  readonly exchange: ExchangeView
  readonly onClose: () => void
}

/** Saves the response as a recording in the project. */
export function SaveFixtureDialog({ exchange, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const [anonymize, setAnonymize] = useState(true)
  const save = async () => {
    const input = { anonymize, ...(name.trim() !== '' && { name: name.trim() }) }
    const parameters = { exchangeId: exchange.id }
    const saved = await control('POST exchanges/:exchangeId/save', parameters, input)
    const titles = saved.kept.map((title) => `“${title}”`).join(', ')
    const hint = titles && `Check the texts that were kept for names: ${titles}.`
    notify([`Saved ${saved.file}.`, hint].filter(Boolean).join(' '))
  }
  return (
    <FormDialog
      title="Save as fixture"
      size="small"
      action="Save"
      isDirty={name !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        Writes the response into your project as a recording. Existing files are never overwritten.
      </p>
      <Field
        label="Name"
        mono
        placeholder="named after the app and the outcome"
        value={name}
        onText={setName}
      />
      <label class="row">
        <input
          type="checkbox"
          checked={anonymize}
          onChange={({ currentTarget }) => setAnonymize(currentTarget.checked)}
        />
        Anonymize personal data
      </label>
    </FormDialog>
  )
}

/** Saves the customer and the conditions of the request in `sidecard.local.json`. */
export function SaveStateDialog({ exchange, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const [shows, setShows] = useState<readonly string[]>([])
  const { id: exchangeId, customer } = exchange
  const isKnown = workspace.value?.customers.some((each) => each.name === customer) === true
  const offered = useLoaded(isKnown ? null : exchangeId, () =>
    control('GET exchanges/:exchangeId/texts', { exchangeId }),
  )
  const save = async () => {
    const input = { name: name.trim(), shows }
    workspace.value = await control('POST exchanges/:exchangeId/state', { exchangeId }, input)
    notify(`Saved ${name.trim()} in sidecard.local.json`)
  }
  return (
    <FormDialog
      title="Save as state"
      size="small"
      action="Save"
      isDirty={name !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      <p>
        Writes {isKnown ? 'the state' : 'the customer'} into <code>sidecard.local.json</code>, which
        git ignores.
      </p>
      <Field
        label="Name"
        value={name}
        maxLength={100}
        placeholder="For example: Acme, past due"
        onText={setName}
      />
      {Array.isArray(offered) && offered.length > 0 && (
        <fieldset class={fieldStyle.group}>
          <legend>Texts that only this customer’s sidebar shows</legend>
          {offered.map((text: string) => (
            <label key={text} class="row">
              <input
                type="checkbox"
                checked={shows.includes(text)}
                onChange={({ currentTarget: { checked } }) =>
                  setShows(checked ? [...shows, text] : shows.filter((each) => each !== text))
                }
              />
              <span class="ellipsis" dir="auto">
                {text}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {!isKnown && (
        <p class="hint">A check proves with these texts that customers are kept apart.</p>
      )}
    </FormDialog>
  )
}
