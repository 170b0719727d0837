import { LazyView } from '../parts/lazy-view.tsx'
import { set } from '../core/set.ts'
import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { CheckTab } from './check-tab.tsx'
import { ConsoleTab } from './console-tab.tsx'
import { isUnknownIssue } from '../state/issue.ts'
import { paneHeight } from '../core/preferences.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { Dot } from '../parts/dot.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { routeHash } from '../state/request-as.ts'
import style from '../parts/failure/diagnostics.module.css'
import { chosenTab, openTab, problem, subject, TABS } from '../state/diagnostics.ts'
import { ErrorTab } from './error-tab.tsx'

/** The diagnostics of the selected widget: its error, request, console and check. */
export function DiagnosticsPane() {
  const pane = useRef<HTMLElement>(null)
  // The height is set without rendering, because a drag changes it many times.
  useEffect(
    () => effect(() => pane.current?.style.setProperty('--pane', `${paneHeight.value}px`)),
    [],
  )
  const tab = openTab.value
  const current = subject.value
  const isCommand = tab === 'error' && problem.value?.source.kind === 'command'
  const hasSubject = current !== null && !isUnknownIssue.value
  if (!hasSubject && problem.value === null) return null
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
              <span class="row">
                <Dot tone="bad" />
                {name}
              </span>
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
              <IconButton
                icon="search"
                label="Open in Requests"
                href={routeHash('inspector', current.view.exchangeId)}
              />
            )}
            {tab !== null && (
              <IconButton icon="close" label="Close diagnostics" onClick={set(chosenTab, null)} />
            )}
          </>
        }
      >
        {tab === 'console' ? (
          <ConsoleTab />
        ) : (
          <div class={style.content}>
            {tab === 'error' ? (
              <ErrorTab />
            ) : tab === 'check' ? (
              <CheckTab />
            ) : (
              <LazyView load={loadExchangeTab} />
            )}
          </div>
        )}
      </Tabs>
    </section>
  )
}

const STEP = 40

/** The handle that resizes the pane, by dragging or with the arrow keys. */
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

const loadExchangeTab = async () => (await import('./exchange-tab.tsx')).ExchangeTab
