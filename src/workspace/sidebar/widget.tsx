import type { Header } from '../../contract/generated/types.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { AppView } from '../../emulator/protocol/workspace.ts'
import { connectApp } from '../state/apps.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { WidgetContent } from '../parts/widget/widget-content.tsx'
import { WidgetFrame } from '../parts/widget/widget-frame.tsx'
import { currentLoad, type WidgetLoad } from '../state/widgets.ts'
import style from '../parts/widget/widget.module.css'

/** A widget of an app. */
export interface WidgetProps {
  readonly app: AppView
  readonly widget: AppView['widgets'][number]
}

/** A widget as the agent sees it. */
export function Widget({ app, widget }: WidgetProps) {
  const load = currentLoad(widget.id)
  const isConnected = app.state === 'connected'
  const view = isConnected ? (load?.view ?? null) : null
  return (
    <WidgetFrame
      header={findHeader(view)}
      name={widget.name}
      aria-label={widgetTitle(widget, view)}
      aria-busy={load !== undefined && load.startedAt !== null}
      data-outcome={view?.outcome}
    >
      {isConnected ? <Content load={load} /> : <NotConnected app={app} />}
    </WidgetFrame>
  )
}

/** Returns the title of a widget. */
export function widgetTitle(widget: WidgetProps['widget'], view: WidgetView | null): string {
  return findHeader(view)?.title || widget.name
}

function findHeader(view: WidgetView | null): Header | undefined {
  return (view?.payload ?? view?.lastGood?.payload)?.header
}

function Content({ load }: { readonly load: WidgetLoad | undefined }) {
  if (load?.view) return <WidgetContent {...load.view} />
  return load?.error ? (
    <p class={style.nothing}>No data yet</p>
  ) : (
    <Skeleton lines={4} label="Loading" />
  )
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
