import { useState } from 'preact/hooks'
import type { ExchangeView, SaveInput } from '../../emulator/protocol/exchanges.ts'
import { notify } from '../core/notify.ts'
import { navigate } from '../core/route.ts'
import { apps, workspace } from '../core/workspace.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FormError, Input } from '../parts/field.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import { exportHar, replayExchange, saveExchange } from './exchanges.ts'
import dialogStyle from '../parts/dialog.module.css'
import fieldStyle from '../parts/field.module.css'
import layoutStyle from '../parts/layout.module.css'

/** The actions for a request. */
export function DetailActions({ exchange }: { readonly exchange: ExchangeView }) {
  const [saveAs, setSaveAs] = useState<SaveInput['as'] | null>(null)
  const isDataFetch = exchange.kind === 'fetch_data' && exchange.response !== null
  const hasProject = workspace.value?.project != null
  return (
    <div class={layoutStyle['detail-actions']}>
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
            onChoose: () => {
              setSaveAs('fixture')
            },
          },
          {
            label: 'Save as test',
            icon: 'save',
            isDisabled: !isDataFetch || !hasProject,
            onChoose: () => {
              setSaveAs('test')
            },
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
          onSave={async (input) => {
            const error = await saveExchange(exchange.id, input)
            if (error === undefined) setSaveAs(null)
            return error
          }}
        />
      )}
    </div>
  )
}

interface SaveDialogProps {
  readonly as: SaveInput['as']
  /** Whether to anonymize by default. */
  readonly isPersonal: boolean
  /** Resolves to the reason if saving fails. */
  readonly onSave: (input: SaveInput) => Promise<string | undefined>
  readonly onClose: () => void
}

function SaveDialog({ as, isPersonal, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const [anonymize, setAnonymize] = useState(isPersonal)
  const [error, setError] = useState<string | undefined>()
  return (
    <Dialog
      title={as === 'fixture' ? 'Save as fixture' : 'Save as test'}
      size="small"
      isDirty={name !== ''}
      onClose={onClose}
    >
      <form
        class={dialogStyle['app-form']}
        onSubmit={(event) => {
          event.preventDefault()
          void onSave({ as, anonymize, ...(name.trim() !== '' && { name: name.trim() }) }).then(
            setError,
          )
        }}
      >
        <div class={dialogStyle.body}>
          <p>
            {as === 'fixture'
              ? 'Writes the response into your project as a recording.'
              : 'Writes the response and a test into your project. The test opens the issue in your own app, and fails when agents would see something else.'}{' '}
            Existing files are never overwritten.
          </p>
          <div class={fieldStyle.field}>
            <label htmlFor="save-name">Name</label>
            <Input
              id="save-name"
              mono
              placeholder="named after the app and the outcome"
              pattern="[A-Za-z0-9\-]{1,64}"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          </div>
          <label class={fieldStyle['check-field']}>
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
          <FormError text={error} />
        </div>
        <footer class={dialogStyle.footer}>
          <Button type="submit" look="primary">
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

function Replay({ exchange }: { readonly exchange: ExchangeView }) {
  const [isBusy, setBusy] = useState(false)
  const connected = apps.value.filter(({ state }) => state === 'connected')
  const replay = async (appId?: string) => {
    setBusy(true)
    const result = await replayExchange(exchange.id, appId)
    setBusy(false)
    if (typeof result === 'string') notify(result, 'bad')
    else {
      notify('Request sent again')
      navigate(routeHash('inspector', result.id))
    }
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
