import { Count } from '../parts/count.tsx'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { control } from '../core/control.ts'
import { listFacts } from '../core/list-facts.ts'
import { describeOutcome } from '../core/outcome.ts'
import { formatRoute } from '../core/route.ts'
import { useLoaded } from '../core/use-loaded.ts'
import { apps } from '../core/workspace.ts'
import { issueId, openIssue } from '../issues/issue.ts'
import { comparablePayload, differingPaths, isSameContent } from './compare-payloads.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FormError } from '../parts/field.tsx'
import { currentChoice, requestChoices } from '../sidebar/request-choices.ts'
import { NORMAL, requestAs, requestKey, routeHash, toQuery } from '../sidebar/request-as.ts'
import type { RequestAs } from '../sidebar/request-as.ts'
import { WidgetContent } from '../sidebar/widget-content.tsx'
import { requestWidget } from '../sidebar/widgets.ts'
import { classes } from '../core/classes.ts'
import panelStyle from '../sidebar/panel.module.css'
import widgetStyle from '../sidebar/widget.module.css'
import statesStyle from './states.module.css'

interface State {
  readonly name: string
  readonly request: RequestAs
  readonly widgets: readonly WidgetView[]
}

/** The view of an issue in every scenario and preset, side by side. */
export function StatesView() {
  const issue = issueId.value
  const [run, setRun] = useState(0)
  const loaded = useLoaded(issue === null ? null : `${issue}\n${run}`, () => runStates(issue ?? ''))
  // The states stay visible while they are loaded again.
  const last = useRef<{ issue: string | null; states: readonly State[] } | null>(null)
  if (Array.isArray(loaded)) last.current = { issue, states: loaded }
  const shown = last.current?.issue === issue ? last.current.states : []
  const isRunning = loaded === null && issue !== null
  const failed = shown.filter(({ widgets }) => widgets.some(isBad)).length
  return (
    <main class={statesStyle.page} id="main" tabIndex={-1} aria-busy={isRunning}>
      <header class={statesStyle.head}>
        <div>
          <h1>All states</h1>
          <p dir="auto">{openIssue.value?.title}</p>
        </div>
        <output class={failed > 0 ? 'tone-bad' : ''}>
          {isRunning
            ? 'Loading every scenario and preset…'
            : shown.length > 0 && formatSummary(shown.length, failed)}
        </output>
        <Button small icon="reload" disabled={isRunning} onClick={() => setRun(run + 1)}>
          Run again
        </Button>
        <Button small href={routeHash('issues', issue)}>
          Back to the issue
        </Button>
      </header>
      <FormError text={typeof loaded === 'string' ? loaded : null} />
      {apps.value.length === 0 && (
        <Empty icon="plug" heading="h2" title="No apps connected">
          <p>Connect an app to see its states.</p>
        </Empty>
      )}
      <ul class={statesStyle.grid}>
        {shown.map(({ name, request, widgets }, index) => (
          <li key={`${name}\n${requestKey(request)}`} class={statesStyle.state}>
            <h2 class={statesStyle['state-name']} dir="auto">
              <a href={formatRoute('issues', issue, toQuery(request))}>{name}</a>
            </h2>
            {widgets.map((view) => (
              <StateWidget
                key={view.widgetId}
                state={name}
                view={view}
                base={index === 0 ? null : findWidget(shown[0], view.widgetId)}
              />
            ))}
          </li>
        ))}
      </ul>
    </main>
  )
}

function formatSummary(count: number, failed: number): string {
  return failed === 0 ? `${count} states, no failures` : `${count} states, ${failed} failed`
}

function isBad({ outcome }: WidgetView): boolean {
  return describeOutcome(outcome).tone === 'bad'
}

/** Runs the states of the emulator, followed by the presets and the custom IDs of this browser. */
async function runStates(issue: string): Promise<readonly State[]> {
  const run = await control('POST issues/:issueId/states', { issueId: issue })
  const states: State[] = run.states.map(({ name, scenario, presetId, widgets }) => {
    const request = { ...NORMAL, scenario, presetId }
    return { name, request, widgets }
  })
  const widgetIds = apps.peek().flatMap(({ widgets }) => widgets.map(({ id }) => id))
  for (const own of ownRequests()) {
    const loads = widgetIds.map((id) => requestWidget(issue, id, own.request, run.group))
    // oxlint-disable-next-line no-await-in-loop -- concurrent states would slow each other down
    states.push({ name: own.name, request: own.request, widgets: await Promise.all(loads) })
  }
  return states
}

function ownRequests(): readonly Omit<State, 'widgets'>[] {
  const own = requestChoices.peek().filter(({ group }) => group === 'Presets in this browser')
  const request = requestAs.peek()
  const isKnown = currentChoice.peek() !== undefined || Object.keys(request.params).length === 0
  return isKnown ? own : [...own, { name: 'Custom IDs', request }]
}

function findWidget(state: State | undefined, widgetId: string): WidgetView | null {
  return state?.widgets.find((view) => view.widgetId === widgetId) ?? null
}

/** The name of the first state. */
const SAME_AS = 'Issue as is'

interface StateWidgetProps {
  readonly state: string
  readonly view: WidgetView
  /** The same widget in the first state, to compare with; null in that state itself. */
  readonly base: WidgetView | null
}

function StateWidget({ state, view, base }: StateWidgetProps) {
  const body = useRef<HTMLDivElement>(null)
  const payload = comparablePayload(view)
  const basePayload = base && comparablePayload(base)
  const isSame =
    payload !== null &&
    basePayload !== null &&
    view.outcome === base?.outcome &&
    isSameContent(payload, basePayload)
  useLayoutEffect(() => {
    if (payload === null || basePayload === null) return
    for (const path of differingPaths(payload, basePayload)) {
      body.current
        ?.querySelector(`[data-component="${path}"]`)
        ?.toggleAttribute('data-differs', true)
    }
  }, [view, base])
  const { text, tone } = describeOutcome(view.outcome)
  const app = apps.value.find(({ id }) => id === view.appId)
  const widget = app?.widgets.find(({ id }) => id === view.widgetId)
  const { failures, durationMs, exchange } = view
  const facts = listFacts({ failures, durationMs, bytes: exchange?.bytes ?? null })
  return (
    <div class={classes(panelStyle.panel, panelStyle[tone])} data-outcome={view.outcome}>
      {apps.value.length > 1 && app !== undefined && (
        <p class={classes(panelStyle.app, 'ellipsis')} dir="auto" title={app.name}>
          {app.name}
        </p>
      )}
      <p class={statesStyle.facts}>
        <Count tone={tone}>{text}</Count>
        {view.injected !== null && <Count tone="warn">injected</Count>}
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {view.exchangeId !== null && (
          <IconButton
            icon="search"
            label="Request details"
            href={routeHash('inspector', view.exchangeId)}
          />
        )}
      </p>
      {isSame && <p class="hint">Same as {SAME_AS}</p>}
      <article
        hidden={isSame}
        dir="auto"
        class={widgetStyle.widget}
        aria-label={`${state}: ${widget?.name ?? view.widgetId}`}
      >
        <header class={widgetStyle.header}>
          <h3 class="cut">{view.payload?.header.title || widget?.name || view.widgetId}</h3>
        </header>
        <div class={widgetStyle.body} ref={body}>
          <WidgetContent {...view} />
        </div>
      </article>
      {tone === 'bad' && view.message !== '' && (
        <p class={statesStyle['state-message']}>{view.message}</p>
      )}
    </div>
  )
}
