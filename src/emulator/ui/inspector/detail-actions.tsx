import { useState } from 'preact/hooks'
import type { ExchangeView, SaveInput } from '../../protocol-exchanges.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { exportHar, replayExchange, saveExchange } from '../state/exchanges.ts'
import { notify } from '../state/notify.ts'
import { routeHash } from '../state/request-as.ts'
import { navigate } from '../state/route.ts'
import { apps, workspace } from '../state/workspace.ts'

/** The actions for a request. */
export function DetailActions({ exchange }: { readonly exchange: ExchangeView }) {
  const [saveAs, setSaveAs] = useState<SaveInput['as'] | null>(null)
  const isDataFetch = exchange.kind === 'fetch_data' && exchange.response !== null
  const hasProject = workspace.value?.project != null
  return (
    <div class="detail-actions">
      <CopyButton text={exchange.curl} label="cURL command" caption="Copy as cURL" />
      <CopyButton text={exchange.fetchCode} label="fetch code" caption="Copy as fetch" />
      {isDataFetch && (
        <a class="button button-small" href={routeHash('playground', exchange.id)}>
          <Icon name="code" />
          Open in playground
        </a>
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
          onClose={() => {
            setSaveAs(null)
          }}
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
  /** Resolves to the reason if saving fails. */
  readonly onSave: (input: SaveInput) => Promise<string | undefined>
  readonly onClose: () => void
}

function SaveDialog({ as, onSave, onClose }: SaveDialogProps) {
  const [name, setName] = useState('')
  const [anonymize, setAnonymize] = useState(true)
  const [error, setError] = useState<string | undefined>()
  return (
    <Dialog
      title={as === 'fixture' ? 'Save as fixture' : 'Save as test'}
      size="small"
      isDirty={name !== ''}
      onClose={onClose}
    >
      <form
        class="app-form"
        onSubmit={(event) => {
          event.preventDefault()
          void onSave({ as, anonymize, ...(name.trim() !== '' && { name: name.trim() }) }).then(
            setError,
          )
        }}
      >
        <div class="dialog-body">
          <p>
            {as === 'fixture'
              ? 'Writes the response into your project as a recording.'
              : 'Writes the response and a test into your project. npm test runs the test.'}{' '}
            Existing files are never overwritten.
          </p>
          <div class="field">
            <label htmlFor="save-name">Name</label>
            <input
              id="save-name"
              class="input mono"
              autocomplete="off"
              placeholder="named after the app and the outcome"
              pattern="[A-Za-z0-9\-]{1,64}"
              value={name}
              onInput={({ currentTarget }) => {
                setName(currentTarget.value)
              }}
            />
          </div>
          <label class="check-field">
            <input
              type="checkbox"
              checked={anonymize}
              onChange={({ currentTarget }) => {
                setAnonymize(currentTarget.checked)
              }}
            />
            Anonymize emails, IDs, phone numbers and names
          </label>
          {error !== undefined && (
            <p class="form-error" role="alert">
              {error}
            </p>
          )}
        </div>
        <footer class="dialog-footer">
          <button type="submit" class="button button-primary">
            Save
          </button>
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
    <button
      type="button"
      class="button button-small button-primary"
      disabled={isBusy}
      onClick={() => void replay()}
    >
      <Icon name="reload" />
      Replay
    </button>
  )
}
