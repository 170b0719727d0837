import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { checks, runCheck } from '../checks/checks.ts'
import { ReportView } from '../checks/report-view.tsx'
import { ConsoleLines } from '../console/console-lines.tsx'
import { paneHeight } from '../core/preferences.ts'
import { Diff } from '../inspector/diff.tsx'
import { DetailFindings, RequestPart, ResponsePart } from '../inspector/exchange-parts.tsx'
import { useExchange } from '../inspector/use-exchange.ts'
import { Waterfall } from '../inspector/waterfall.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { routeHash } from '../sidebar/request-as.ts'
import style from './diagnostics.module.css'
import { chosenTab, type DiagnosticsTab, openTab, problem, subject, TABS } from './diagnostics.ts'
import { ErrorTab } from './error-tab.tsx'

/** What is known about the selected widget: its error, request, timing, console, diff and check. */
export function DiagnosticsPane() {
  const pane = useRef<HTMLElement>(null)
  // The height is not an attribute, because each step of a drag would render the pane again.
  useEffect(
    () => effect(() => pane.current?.style.setProperty('--pane', `${paneHeight.value}px`)),
    [],
  )
  const tab = openTab.value
  const current = subject.value
  const isCommand = tab === 'error' && problem.value?.source.kind === 'command'
  if (current === null && problem.value === null) return null
  return (
    <section ref={pane} class={style.pane} aria-label="Diagnostics" data-open={tab !== null}>
      <h2 class="visually-hidden">Diagnostics</h2>
      {tab !== null && <ResizeHandle />}
      <Tabs
        label="Diagnostics"
        tabs={TABS.map(({ id, name }) => ({
          id,
          name:
            id === 'error' && problem.value !== null ? (
              <>
                <span class={style.dot} />
                {name}
              </>
            ) : (
              name
            ),
        }))}
        open={tab}
        onOpen={(id) => {
          chosenTab.value = id
        }}
        end={
          <>
            {tab !== null && current !== null && !isCommand && (
              <span class={style.subject} dir="auto">
                {current.name}
              </span>
            )}
            {current?.view?.exchangeId != null && tab !== null && !isCommand && (
              <Button look="link" href={routeHash('inspector', current.view.exchangeId)}>
                Open in inspector
              </Button>
            )}
            {tab !== null && (
              <IconButton
                icon="close"
                label="Close diagnostics"
                onClick={() => {
                  chosenTab.value = null
                }}
              />
            )}
          </>
        }
      >
        <div class={style.content}>
          {tab === 'error' ? (
            <ErrorTab />
          ) : tab === 'check' ? (
            <CheckTab />
          ) : (
            <ExchangeTab tab={tab} />
          )}
        </div>
      </Tabs>
    </section>
  )
}

const STEP = 40

/** Drag it, or focus it and press the arrow keys. */
function ResizeHandle() {
  const resize = (height: number) => {
    paneHeight.value = Math.round(Math.min(Math.max(height, 120), innerHeight * 0.7))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a focusable separator is interactive
    <hr
      class={style.handle}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of the diagnostics"
      aria-valuenow={paneHeight.value}
      aria-valuemin={120}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key]
        if (by === undefined) return
        event.preventDefault()
        resize(paneHeight.peek() + by)
      }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const { currentTarget, pointerId, clientY } = event
        if (!currentTarget.hasPointerCapture(pointerId)) return
        const { bottom } = currentTarget.parentElement?.getBoundingClientRect() ?? { bottom: 0 }
        resize(bottom - clientY)
      }}
    />
  )
}

function ExchangeTab({ tab }: { readonly tab: Exclude<DiagnosticsTab, 'error' | 'check'> | null }) {
  const view = subject.value?.view ?? null
  const exchange = useExchange(view?.exchangeId ?? null)
  if (view?.exchangeId == null) return <p class="muted">No request was recorded.</p>
  if (exchange === null) return <Skeleton lines={4} label="Loading request" />
  if (typeof exchange === 'string') return <p>{exchange}</p>
  switch (tab) {
    case 'request':
      return (
        <div class={style.columns}>
          <div>
            <ResponsePart exchange={exchange} />
            <DetailFindings exchange={exchange} />
          </div>
          <RequestPart exchange={exchange} />
        </div>
      )
    case 'timing':
      return <TimingTab exchange={exchange} />
    case 'console':
      return exchange.console.length > 0 ? (
        <ConsoleLines entries={exchange.console} />
      ) : (
        <p class="muted">The command wrote no line with the trace ID of this request.</p>
      )
    case 'diff':
      return <Diff key={exchange.id} exchange={exchange} otherId={view.lastGood?.exchangeId} />
    case null:
      return null
    default:
      return tab satisfies never
  }
}

function TimingTab({ exchange }: { readonly exchange: ExchangeView }) {
  return (
    <>
      <Waterfall exchange={exchange} />
      {exchange.timing.length === 0 && (
        <p class="hint">
          The endpoint sent no Server-Timing. With <code>instrument: serverTiming()</code>, it shows
          what each section and lookup took.
        </p>
      )}
    </>
  )
}

function CheckTab() {
  const app = subject.value?.app
  if (app === undefined) return null
  const check = checks.value.get(app.id)
  return (
    <div class={style.error}>
      <p>
        <Button
          small
          icon="play"
          disabled={check?.isRunning === true}
          onClick={() => void runCheck(app)}
        >
          {check?.isRunning === true ? 'Checking…' : 'Run check'}
        </Button>
      </p>
      {check?.report !== undefined && (
        <ReportView report={check.report} checkedAs={check.checkedAs ?? ''} />
      )}
    </div>
  )
}
