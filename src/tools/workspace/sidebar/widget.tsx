import type { Header } from '../../../runtime/contract/generated/types.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { connectApp } from '../state/apps.ts'
import { Button } from '../parts/forms/button.tsx'
import { Icon } from '../parts/forms/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { WidgetContent } from '../parts/widget/widget-content.tsx'
import { WidgetFrame } from '../parts/widget/widget-frame.tsx'
import type { ShownWidget } from '../state/widgets.ts'
import style from '../parts/widget/widget.module.css'

/** A widget as the agent sees it. */
export function Widget({ app, name, load, view }: ShownWidget) {
  const header = findHeader(view)
  return (
    <WidgetFrame
      header={header}
      name={name}
      aria-label={header?.title || name}
      aria-busy={load !== undefined && load.startedAt !== null}
      data-outcome={view?.outcome}
    >
      {app.state !== 'connected' ? (
        <NotConnected app={app} />
      ) : view !== null ? (
        <WidgetContent {...view} />
      ) : load?.error ? (
        <p class={style.nothing}>No data yet</p>
      ) : (
        <Skeleton lines={4} label="Loading" />
      )}
    </WidgetFrame>
  )
}

/** Returns the header of a response, or of the last successful one. */
export function findHeader(view: WidgetView | null): Header | undefined {
  return (view?.payload ?? view?.lastGood?.payload)?.header
}

function NotConnected({ app }: { readonly app: AppView }) {
  const { handshaking, state } = app
  return (
    <div class={style['agent-error']}>
      <Icon name="plug" size={20} />
      <p>
        {handshaking
          ? 'Connecting to this app…'
          : state === 'unverified'
            ? 'This app is unverified.'
            : 'This app is disconnected.'}
      </p>
      <Button small isBusy={handshaking} onClick={() => void connectApp(app)}>
        {state === 'unverified' ? 'Retry Connection' : 'Connect'}
      </Button>
    </div>
  )
}
