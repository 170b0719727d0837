import { useState } from 'preact/hooks'
import type { ExchangeView, SaveInput } from '../../emulator/protocol/exchanges.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { notify } from '../core/notify.ts'
import { navigate } from '../core/route.ts'
import { apps, workspace } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { exportHar } from './exchanges.ts'

/** The actions for a request. */
export function DetailActions({ exchange }: { readonly exchange: ExchangeView }) {
  const [saveAs, setSaveAs] = useState<SaveInput['as'] | null>(null)
  const isDataFetch = exchange.kind === 'fetch_data' && exchange.response !== null
  const hasProject = workspace.value?.project != null
  return (
    <div class="row wrap">
      <CopyButton text={exchange.curl} label="cURL command" caption="Copy as cURL" />
      <CopyButton text={exchange.fetchCode} label="fetch code" caption="Copy as fetch" />
      {isDataFetch && (
        <Button small icon="code" href={routeHash('playground', exchange.id)}>
          Open in playground
        </Button>
      )}
      <Replay exchange={exchange} />
      <Menu
        label="More actions"
        items={[
          {
            label: 'Save as fixture',
            icon: 'save',
            isDisabled: !isDataFetch || !hasProject,
            onChoose: () => setSaveAs('fixture'),
          },
          {
            label: 'Save as test',
            icon: 'save',
            isDisabled: !isDataFetch || !hasProject,
            onChoose: () => setSaveAs('test'),
          },
          {
            label: 'Export as HAR',
            icon: 'download',
            onChoose: () => void exportHar([exchange.id]),
          },
        ]}
      />
      {saveAs !== null && (
        <SaveDialog
          as={saveAs}
          // A test with placeholders finds no customer. The IDs of the emulator are made up.
          isPersonal={
            saveAs === 'fixture' || exchange.hasCustomIds || exchange.source !== 'emulator'
          }
          onClose={() => setSaveAs(null)}
          id={exchange.id}
        />
      )}
    </div>
  )
}

interface SaveDialogProps {
  readonly id: string
  readonly as: SaveInput['as']
  /** Whether to anonymize by default. */
  readonly isPersonal: boolean
  readonly onClose: () => void
}

function SaveDialog({ id, as, isPersonal, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const [anonymize, setAnonymize] = useState(isPersonal)
  const save = async () => {
    const input = { as, anonymize, ...(name.trim() !== '' && { name: name.trim() }) }
    const saved = await control('POST exchanges/:exchangeId/save', { exchangeId: id }, input)
    const titles = saved.kept.map((title) => `“${title}”`).join(', ')
    const hint = titles && `Check for names in the titles that were kept: ${titles}.`
    notify([`Saved ${saved.files.join(' and ')}.`, saved.change, hint].filter(Boolean).join(' '))
  }
  return (
    <FormDialog
      title={`Save as ${as}`}
      size="small"
      action="Save"
      isDirty={name !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      {() => (
        <>
          <p>
            {as === 'fixture'
              ? 'Writes the response into your project as a recording.'
              : 'Writes the response and a test into your project. The test opens the issue in your own app, and fails when agents would see something else.'}{' '}
            Existing files are never overwritten.
          </p>
          <Field
            label="Name"
            input={{
              mono: true,
              placeholder: 'named after the app and the outcome',
              value: name,
              onInput: ({ currentTarget }) => setName(currentTarget.value),
            }}
          />
          <label class="row">
            <input
              type="checkbox"
              checked={anonymize}
              onChange={({ currentTarget }) => setAnonymize(currentTarget.checked)}
            />
            Anonymize emails, IDs, phone numbers and names
          </label>
          {as === 'test' && anonymize && (
            <p class="hint">The test then needs IDs that your test data contains. It says where.</p>
          )}
        </>
      )}
    </FormDialog>
  )
}

function Replay({ exchange }: { readonly exchange: ExchangeView }) {
  const [isBusy, setBusy] = useState(false)
  const connected = apps.value.filter(({ state }) => state === 'connected')
  const replay = async (appId?: string) => {
    setBusy(true)
    await act(async () => {
      const input = appId === undefined ? {} : { appId }
      const parameters = { exchangeId: exchange.id }
      const { id } = await control('POST exchanges/:exchangeId/replay', parameters, input)
      notify('Request sent again')
      navigate(routeHash('inspector', id))
    })
    setBusy(false)
  }
  if (exchange.appId === null && connected.length > 1) {
    return (
      <Menu
        label="Replay to an app"
        caption="Replay"
        items={connected.map(({ id, name }) => ({
          label: name,
          onChoose: () => void replay(id),
        }))}
      />
    )
  }
  return (
    <Button look="primary" small icon="reload" disabled={isBusy} onClick={() => void replay()}>
      Replay
    </Button>
  )
}
