import { describeOutcome } from '../inspector/outcome.ts'
import { Icon } from '../parts/icon.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { loadWidget } from '../state/widgets.ts'
import { apps } from '../state/workspace.ts'
import { AppMenu } from './app-menu.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { DeveloperNote } from './developer-note.tsx'
import { formatTime } from './format-time.ts'
import { LastGood } from './last-good.tsx'
import { RequestStrip } from './request-strip.tsx'
import { currentLoad, Widget, widgetTitle } from './widget.tsx'
import type { WidgetProps } from './widget.tsx'

/** A widget as the agent sees it, with tools for the developer. */
export function WidgetPanel({ app, widget }: WidgetProps) {
  const load = currentLoad(widget.id)
  const isConnected = app.state === 'connected'
  const view = isConnected ? (load?.view ?? null) : null
  const tone = view === null ? null : describeOutcome(view.outcome).tone
  return (
    <section
      class={`panel ${tone === null ? '' : `panel-${tone}`}`}
      aria-label={`${widgetTitle(widget, view)}, ${app.name}`}
      data-widget={widget.id}
      data-outcome={view?.outcome}
    >
      <div class="panel-bar">
        <div class="panel-main">
          {(apps.value.length > 1 || widget.name !== app.name) && (
            <span class="panel-app ellipsis" dir="auto" title={app.name}>
              {app.name}
            </span>
          )}
          {(!isConnected || app.handshaking) && <StatePill app={app} />}
          {isConnected && <RequestStrip load={load} />}
        </div>
        {isConnected && (
          <button
            type="button"
            class="icon-button"
            aria-label={`Reload ${widget.name}`}
            title="Reload"
            onClick={() => void loadWidget(widget.id)}
          >
            <Icon name="reload" />
          </button>
        )}
        <AppMenu app={app} widgetId={widget.id} />
      </div>
      <Widget app={app} widget={widget} />
      {isConnected && view !== null && tone === 'bad' && (
        <DeveloperNote {...view}>
          {view.lastGood !== null && (
            <LastGood
              payload={view.lastGood.payload}
              label={`Last successful render, ${formatTime(view.lastGood.at)}`}
            />
          )}
        </DeveloperNote>
      )}
      <ConnectionNote app={app} />
    </section>
  )
}
