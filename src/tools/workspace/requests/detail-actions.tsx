import { useState } from 'preact/hooks'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { notify } from '../core/notify.ts'
import { navigate } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'
import { Button } from '../parts/forms/button.tsx'
import { CopyButton } from '../parts/forms/copy-button.tsx'
import { Menu } from '../parts/menu.tsx'
import { routeHash } from '../state/request-as.ts'
import { SaveFixtureDialog, SaveStateDialog } from './save-dialogs.tsx'

/** The actions for a request. */
export function DetailActions({ exchange }: { readonly exchange: ExchangeView }) {
  const [saves, setSaves] = useState<'fixture' | 'state' | null>(null)
  const isDataFetch = exchange.kind === 'fetch_data'
  const hasData = isDataFetch && exchange.response !== null
  const close = () => setSaves(null)
  return (
    <div class="row wrap">
      <CopyButton text={exchange.curl} label="cURL command" caption="Copy as cURL" />
      {hasData && (
        <Button small icon="code" href={routeHash('playground', exchange.id)}>
          Open in playground
        </Button>
      )}
      <Replay exchange={exchange} />
      <Menu
        label="More actions"
        items={[
          {
            label: 'Save as state',
            icon: 'save',
            isDisabled: !isDataFetch || workspace.value?.canSaveStates !== true,
            onChoose: () => setSaves('state'),
          },
          {
            label: 'Save as fixture',
            icon: 'save',
            isDisabled: !hasData || workspace.value?.project == null,
            onChoose: () => setSaves('fixture'),
          },
        ]}
      />
      {saves === 'fixture' && <SaveFixtureDialog exchange={exchange} onClose={close} />}
      {saves === 'state' && <SaveStateDialog exchange={exchange} onClose={close} />}
    </div>
  )
}

/** The replay that was sent last. Its details show a new button, which gets the focus. */
let replayId: string | null = null

function Replay({ exchange }: { readonly exchange: ExchangeView }) {
  const [isBusy, setBusy] = useState(false)
  const replay = async () => {
    setBusy(true)
    await act(async () => {
      const { id } = await control('POST exchanges/:exchangeId/replay', { exchangeId: exchange.id })
      notify('Request sent again')
      replayId = id
      navigate(routeHash('inspector', id))
    })
    setBusy(false)
  }
  return (
    <Button
      ref={(button) => {
        if (button === null || replayId !== exchange.id) return
        replayId = null
        button.focus()
      }}
      look="primary"
      small
      icon="reload"
      isBusy={isBusy}
      onClick={() => void replay()}
    >
      Replay
    </Button>
  )
}
