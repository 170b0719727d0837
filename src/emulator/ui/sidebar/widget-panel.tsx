import type { Header } from '../../../contract/payload.ts'
import type { AppView } from '../../protocol.ts'
import { Icon } from '../parts/icon.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { connectApp } from '../state/apps.ts'
import { issueId } from '../state/issue.ts'
import { widgets } from '../state/widgets.ts'
import type { WidgetLoad } from '../state/widgets.ts'
import { AppMenu } from './app-menu.tsx'
import { AuthorNote } from './author-note.tsx'
import { IconImage } from './icon-image.tsx'
import { WidgetAnswer } from './widget-answer.tsx'

interface WidgetPanelProps {
  readonly app: AppView
  readonly widget: AppView['widgets'][number]
}

/** One widget in the sidebar: its header, its menu, and what its app answered. */
export function WidgetPanel({ app, widget }: WidgetPanelProps) {
  const known = widgets.value.get(widget.id)
  const load = known?.issueId === issueId.value ? known : undefined
  const isConnected = app.state === 'connected'
  const header = isConnected ? headerOf(load) : undefined
  const title = header?.title || widget.name
  return (
    <section class="widget" aria-label={title} data-widget={widget.id}>
      <header class="widget-header">
        <IconImage url={header?.icon_url} />
        <h3 class="cut" dir="auto" data-path="header.title">
          {title}
        </h3>
        {isConnected && !app.handshaking ? (
          <span class="dot dot-good" title="Connected">
            <span class="visually-hidden">Connected</span>
          </span>
        ) : (
          <StatePill app={app} />
        )}
        <AppMenu app={app} widgetId={widget.id} />
      </header>
      <div
        class={load?.isLoading === true || app.handshaking ? 'progress is-busy' : 'progress'}
        aria-hidden="true"
      />
      <div class="widget-body" aria-busy={load?.isLoading === true}>
        {isConnected ? <Loaded load={load} /> : <NotConnected app={app} />}
      </div>
    </section>
  )
}

function headerOf(load: WidgetLoad | undefined): Header | undefined {
  return (load?.view?.payload ?? load?.view?.lastGood?.payload)?.header
}

function Loaded({ load }: { readonly load: WidgetLoad | undefined }) {
  if (load?.error) return <p class="form-error">{load.error}</p>
  if (!load?.view) return <Skeleton lines={4} label="Loading" />
  return <WidgetAnswer view={load.view} />
}

function NotConnected({ app }: { readonly app: AppView }) {
  const { lastHandshake, handshaking, state } = app
  const result = lastHandshake?.result
  return (
    <>
      <div class="agent-error">
        <Icon name="plug" />
        <p>
          {handshaking
            ? 'Connecting to this app…'
            : state === 'unverified'
              ? 'The connection to this app is not verified.'
              : 'This app is disconnected.'}
        </p>
        <button
          type="button"
          class="button button-small"
          disabled={handshaking}
          onClick={() => {
            void connectApp(app)
          }}
        >
          {state === 'unverified' ? 'Retry Connection' : 'Connect'}
        </button>
      </div>
      {state === 'unverified' && result?.ok === false && (
        <AuthorNote
          message={result.message}
          remedy={result.remedy}
          findings={[]}
          exchangeId={lastHandshake?.exchangeId ?? null}
        />
      )}
    </>
  )
}
