import { ActionLine } from './action-line.tsx'
import { describeOutcome } from '../core/outcome.ts'
import { apps } from '../core/workspace.ts'
import { commandProblem, diagnose, problemOf } from '../state/diagnostics.ts'
import { isBehind } from '../state/saves.ts'
import { ProblemLine } from '../parts/failure/problem-line.tsx'
import { StatePill } from '../parts/state-pill.tsx'
import { AppMenu } from './app-menu.tsx'
import { RequestStrip } from './request-strip.tsx'
import { findHeader, Widget } from './widget.tsx'
import type { ShownWidget } from '../state/widgets.ts'
import { classes } from '../core/classes.ts'
import style from '../parts/widget/panel.module.css'

/** A widget as the agent sees it, with tools for the developer. */
export function WidgetPanel(widget: ShownWidget) {
  const { app, id, name, load, view } = widget
  const isConnected = app.state === 'connected'
  const tone = view === null ? null : describeOutcome(view).tone
  const problem = problemOf(widget)
  // The command's error already explains why there is no response.
  const isExplained =
    commandProblem.value !== null && view !== null && view.exchange?.status == null
  return (
    <section
      class={classes(style.panel, tone === 'bad' && style.bad)}
      aria-label={`${findHeader(view)?.title || name}, ${app.name}`}
      data-widget={id}
      data-outcome={view?.outcome}
    >
      <div class={style.bar}>
        <div class={style.main}>
          {(apps.value.length > 1 || name !== app.name) && (
            <span class={style.app} dir="auto" title={app.name}>
              {app.name}
            </span>
          )}
          {(!isConnected || app.handshaking) && <StatePill app={app} />}
          {isConnected && !isExplained && <RequestStrip load={load} isBehind={isBehind(app.id)} />}
        </div>
        <AppMenu app={app} widgetId={id} />
      </div>
      {problem !== null && <ProblemLine problem={problem} onOpen={() => diagnose(id, 'error')} />}
      <ActionLine widgetId={id} />
      <Widget {...widget} />
    </section>
  )
}
