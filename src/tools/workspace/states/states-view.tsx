import { Count } from '../parts/count.tsx'
import { useEffect } from 'preact/hooks'
import type { StatesRun, WidgetView } from '../../emulator/protocol/widgets.ts'
import { listFacts } from '../core/list-facts.ts'
import { describeOutcome, type Tone } from '../core/outcome.ts'
import { capitalize } from '../../internal/capitalize.ts'
import { formatRoute } from '../core/route.ts'
import { apps, workspace } from '../core/workspace.ts'
import { issueId } from '../state/issue.ts'
import { downloadStates, runStates, statesRun } from '../state/states.ts'
import { comparablePayload, isSameContent } from '../core/compare-payloads.ts'
import { Button, IconButton } from '../parts/forms/button.tsx'
import { CodeBlock } from '../parts/code/code-block.tsx'
import { Empty } from '../parts/empty.tsx'
import { IntendedFailures } from '../parts/failure/intended-failures.tsx'
import { FormError } from '../parts/forms/field.tsx'
import { Menu } from '../parts/menu.tsx'
import { shownWidgets } from '../state/widgets.ts'
import { NORMAL, routeHash, toQuery } from '../state/request-as.ts'
import { WidgetContent } from '../parts/widget/widget-content.tsx'
import { ComparedWidget } from '../parts/widget/compared-widget.tsx'
import { classes } from '../core/classes.ts'
import panelStyle from '../parts/widget/panel.module.css'
import statesStyle from './states.module.css'

type State = StatesRun['states'][number]

const EXPORTS = [
  { label: 'Export as HTML, personal data replaced', anonymize: true },
  { label: 'Export as HTML with all data', anonymize: false },
]

/** The sidebar as every customer and in every state of the project, side by side. */
export function StatesView() {
  const issue = issueId.value
  useEffect(runStates, [issue])
  const { customers = [], states = [] } = workspace.value ?? {}
  const isRunning = statesRun.isLoading.value
  const shown = statesRun.data.value?.states ?? []
  const failed = countWith('bad', shown)
  return (
    <main class={statesStyle.page} id="main" tabIndex={-1} aria-busy={isRunning}>
      <header class={statesStyle.head}>
        <div>
          <h1>States</h1>
          <p class="muted">Your sidebar as each customer, and in each state.</p>
        </div>
        <output class={failed > 0 ? 'tone-bad' : ''}>
          {isRunning
            ? 'Loading every customer and state…'
            : shown.length > 0 && formatSummary(shown, failed)}
        </output>
        <Button small icon="reload" isBusy={isRunning} onClick={runStates}>
          Run again
        </Button>
        <Menu
          label="Export"
          items={EXPORTS.map(({ label, anonymize }) => ({
            label,
            icon: 'save',
            isDisabled: shown.length === 0,
            onChoose: () => void downloadStates(anonymize),
          }))}
        />
      </header>
      <FormError text={statesRun.error.value} />
      {apps.value.length === 0 && (
        <Empty icon="plug" heading="h2" title="No apps connected">
          <p>Connect an app to see its states.</p>
        </Empty>
      )}
      {customers.length + states.length === 0 && <NoProject />}
      <ul class={statesStyle.grid}>
        {shown.map(({ kind, name, widgets, actions }, index) => (
          <li key={`${kind}\n${name}`} class={statesStyle.state}>
            <h2 class={statesStyle['state-name']} dir="auto">
              <a
                href={formatRoute('issues', issue, toQuery({ ...NORMAL, subject: { kind, name } }))}
              >
                {name}
              </a>
            </h2>
            {widgets.map((view) => (
              <StateWidget
                key={view.widgetId}
                state={name}
                view={view}
                first={index === 0 ? undefined : shown[0]}
              />
            ))}
            {actions.map((page) => (
              <ActionPage key={page.label} page={page} />
            ))}
          </li>
        ))}
      </ul>
    </main>
  )
}

const EXAMPLE = `{
  "customers": {
    "Northwind Traders": { "ids": { "account_id": "acc_northwind" } }
  },
  "states": {
    "Orders failed": { "customer": "Northwind Traders", "sections": { "Orders": "failed" } }
  }
}`

function NoProject() {
  return (
    <Empty icon="grid" heading="h2" title="No customers and states">
      <p>
        Add them to <code>sidecard.json</code>, or choose Save as state for a request.
      </p>
      <CodeBlock label="An example of sidecard.json">{EXAMPLE}</CodeBlock>
    </Empty>
  )
}

function formatSummary(states: readonly State[], failed: number): string {
  const intended = countWith('none', states)
  const results = [
    failed > 0 && `${failed} failed`,
    intended > 0 && `${intended} as intended`,
  ].filter(Boolean)
  return [`${states.length} states`, ...(results.length === 0 ? ['no failures'] : results)].join(
    ', ',
  )
}

/** Counts the states with a widget whose outcome has this tone. */
function countWith(tone: Tone, states: readonly State[]): number {
  const hasTone = (view: WidgetView) => describeOutcome(view).tone === tone
  return states.filter(({ widgets }) => widgets.some(hasTone)).length
}

interface StateWidgetProps {
  readonly state: string
  readonly view: WidgetView
  /** The first state, to compare with; undefined in that state itself. */
  readonly first: State | undefined
}

function StateWidget({ state, view, first }: StateWidgetProps) {
  const base = first?.widgets.find(({ widgetId }) => widgetId === view.widgetId)
  const payload = comparablePayload(view.payload, view.exchange?.traceId)
  const basePayload = comparablePayload(base?.payload ?? null, base?.exchange?.traceId)
  const isSame =
    payload !== null && view.outcome === base?.outcome && isSameContent(payload, basePayload)
  const { text, tone } = describeOutcome(view)
  const shown = shownWidgets.value.find(({ id }) => id === view.widgetId)
  const name = shown?.name ?? view.widgetId
  const { failures, durationMs, exchange } = view
  const facts = listFacts({ failures, durationMs, bytes: exchange?.bytes ?? null })
  return (
    <div class={classes(panelStyle.panel, panelStyle[tone])} data-outcome={view.outcome}>
      {apps.value.length > 1 && shown !== undefined && (
        <p class={panelStyle.app} dir="auto" title={shown.app.name}>
          {shown.app.name}
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
      {view.unapplied !== null && <p class="hint tone-warn">{capitalize(view.unapplied)}</p>}
      {isSame ? (
        <p class="hint">Same as {first?.name}</p>
      ) : (
        <ComparedWidget
          name={name}
          label={`${state}: ${name}`}
          payload={payload}
          base={basePayload}
        >
          <WidgetContent {...view} />
        </ComparedWidget>
      )}
      {tone === 'bad' && view.message !== '' && <p class="hint tone-bad">{view.message}</p>}
      <IntendedFailures failures={failures} />
    </div>
  )
}

/** The page of an action. It runs no script and sends no form. */
function ActionPage({ page }: { readonly page: State['actions'][number] }) {
  const { label, state, path, unapplied } = page
  return (
    <div class={panelStyle.panel} data-page-state={state}>
      <p class={statesStyle.facts}>
        <Count tone={unapplied === null ? 'info' : 'warn'}>{capitalize(state)}</Count>
        <span dir="auto">Page of {label}</span>
      </p>
      {unapplied !== null && <p class="hint tone-warn">Not applied: {unapplied}</p>}
      {path !== null && (
        <iframe
          class={statesStyle['page-frame']}
          title={`${label}: ${state}`}
          src={path}
          sandbox=""
          loading="lazy"
        />
      )}
    </div>
  )
}
