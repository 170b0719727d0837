import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { StatesRun, WidgetView } from '../../protocol-widgets.ts'
import { formatBytes } from '../inspector/format-bytes.ts'
import { milliseconds } from '../inspector/format-duration.ts'
import { countFailures, describeOutcome } from '../inspector/outcome.ts'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { WidgetContent } from '../sidebar/widget-content.tsx'
import { control, errorMessage } from '../state/control.ts'
import { issueId, openIssue } from '../state/issue.ts'
import { browserPresets } from '../state/presets.ts'
import { NORMAL, requestAs, requestKey, routeHash, toQuery } from '../state/request-as.ts'
import type { RequestAs } from '../state/request-as.ts'
import { formatRoute } from '../state/route.ts'
import { requestWidget } from '../state/widgets.ts'
import { apps } from '../state/workspace.ts'

interface State {
  readonly name: string
  readonly request: RequestAs
  readonly widgets: readonly WidgetView[]
}

/** The view of an issue in every scenario and preset, side by side. */
export function StatesView() {
  const states = useSignal<readonly State[] | null>(null)
  const error = useSignal<string | null>(null)
  const isRunning = useSignal(false)
  const runs = useRef(0)
  const issue = issueId.value
  const run = async () => {
    if (issue === null) return
    runs.current += 1
    const number = runs.current
    isRunning.value = true
    const result = await runStates(issue).catch(errorMessage)
    // Another issue was opened in the meantime.
    if (number !== runs.current) return
    if (typeof result === 'string') error.value = result
    else {
      states.value = result
      error.value = null
    }
    isRunning.value = false
  }
  useEffect(() => {
    states.value = null
    error.value = null
    void run()
  }, [issue])
  const shown = states.value ?? []
  const failed = shown.filter(({ widgets }) => widgets.some(isBad)).length
  return (
    <main class="states-page" id="main" tabIndex={-1} aria-busy={isRunning.value}>
      <header class="states-head">
        <div>
          <h1>All states</h1>
          <p dir="auto">{openIssue.value?.title}</p>
        </div>
        <output class={failed > 0 ? 'tone-bad' : ''}>
          {isRunning.value
            ? 'Loading every scenario and preset…'
            : states.value !== null && formatSummary(shown.length, failed)}
        </output>
        <button
          type="button"
          class="button button-small"
          disabled={isRunning.value}
          onClick={() => void run()}
        >
          <Icon name="reload" />
          Run again
        </button>
        <a class="button button-small" href={routeHash('issues', issue)}>
          Back to the issue
        </a>
      </header>
      {error.value !== null && <p class="form-error">{error.value}</p>}
      {apps.value.length === 0 && (
        <Empty icon="plug" heading="h2" title="No apps connected">
          <p>Connect an app to see its states.</p>
        </Empty>
      )}
      <ul class="states-grid">
        {shown.map(({ name, request, widgets }) => (
          <li key={`${name}\n${requestKey(request)}`} class="state">
            <h2 class="state-name" dir="auto">
              <a href={formatRoute('issues', issue, toQuery(request))}>{name}</a>
            </h2>
            {widgets.map((view) => (
              <StateWidget key={view.widgetId} state={name} view={view} />
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
  const run = await control<StatesRun>('POST', `issues/${encodeURIComponent(issue)}/states`)
  const states: State[] = run.states.map(({ name, scenario, presetId, widgets }) => {
    const request = { ...NORMAL, scenario, presetId }
    return { name, request, widgets }
  })
  const widgetIds = apps.peek().flatMap(({ widgets }) => widgets.map(({ id }) => id))
  for (const own of ownRequests()) {
    const loads = widgetIds.map((id) => requestWidget(issue, id, own.request, run.group))
    // oxlint-disable-next-line no-await-in-loop -- concurrent states would slow each other down
    states.push({ ...own, widgets: await Promise.all(loads) })
  }
  return states
}

function ownRequests(): readonly Omit<State, 'widgets'>[] {
  const own = browserPresets
    .peek()
    .map(({ name, params }) => ({ name, request: { ...NORMAL, params } }))
  const current = requestAs.peek()
  const isKnown = own.some(({ request }) => requestKey(request) === requestKey(current))
  if (isKnown || Object.keys(current.params).length === 0) return own
  return [...own, { name: 'Custom IDs', request: current }]
}

function StateWidget({ state, view }: { readonly state: string; readonly view: WidgetView }) {
  const { text, tone } = describeOutcome(view.outcome)
  const app = apps.value.find(({ id }) => id === view.appId)
  const widget = app?.widgets.find(({ id }) => id === view.widgetId)
  const bytes = view.exchange?.bytes ?? null
  const facts = [
    milliseconds(view.durationMs),
    bytes === null ? null : formatBytes(bytes),
    countFailures(view.failures),
  ]
  return (
    <div class={`panel panel-${tone}`} data-outcome={view.outcome}>
      {apps.value.length > 1 && app !== undefined && (
        <p class="panel-app ellipsis" dir="auto" title={app.name}>
          {app.name}
        </p>
      )}
      <p class="strip">
        <span class={`strip-outcome tone-${tone}`}>{text}</span>
        {view.injected !== null && <span class="count count-warn">injected</span>}
        {facts.map((fact) => fact !== null && <span key={fact}>{fact}</span>)}
        {view.exchangeId !== null && (
          <a href={routeHash('inspector', view.exchangeId)}>Request details</a>
        )}
      </p>
      <article class="widget" aria-label={`${state}: ${widget?.name ?? view.widgetId}`}>
        <header class="widget-header">
          <h3 class="cut" dir="auto">
            {view.payload?.header.title || widget?.name || view.widgetId}
          </h3>
        </header>
        <div class="widget-body">
          <WidgetContent view={view} />
        </div>
      </article>
      {tone === 'bad' && view.message !== '' && <p class="state-message">{view.message}</p>}
    </div>
  )
}
