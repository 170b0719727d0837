import type { ExchangeGroup, ExchangeSummary } from '../../emulator/protocol/exchanges.ts'
import type { Load } from './describe-load.ts'
import { openFirstIssue } from './open-first-issue.ts'
import type { Session } from './session.ts'
import { pathsOf, type SourceChange } from './source-watcher.ts'

/** Reloads the widgets after changes, and reports the results in the terminal. */
export interface LoadReports {
  /** Makes all pages load their widgets. If no page is open, the newest issue is opened. */
  reload(appId: string, changes: readonly SourceChange[]): Promise<void>
  /** Makes all pages load their widgets, without a report. */
  announce(): void
  stop(): void
}

/** How long a page may take to request the data. It may show something else than an issue. */
const PAGE_TIMEOUT_MS = 2_000

/** Creates the reports of a session. */
export function createLoadReports({ emulator, reporter }: Session): LoadReports {
  let group: ExchangeGroup | undefined
  let changes: readonly SourceChange[] = []
  let isReported = true
  let last: { readonly changes: unknown; readonly result: string } | undefined
  let timer: NodeJS.Timeout | undefined

  /** A server that reloads itself is loaded several times for one change. */
  function report(load: Load): void {
    isReported = true
    const failures = load.failures.map((failure) => ({ ...failure, traceId: null }))
    const result = JSON.stringify([load.outcome, failures])
    if (last?.changes === changes && last.result === result) return
    last = { changes, result }
    reporter.reloaded(pathsOf(changes), load)
  }

  function readExchange({ id, kind, source }: ExchangeSummary): void {
    if (kind !== 'fetch_data' || source !== 'emulator' || isReported) return
    const { outcome, failures, message, fix } = emulator.exchanges.get(id)
    report({ outcome: outcome as Load['outcome'], failures, message, fix })
  }

  const unsubscribe = emulator.events.subscribe((event) => {
    if (event.type === 'exchange') readExchange(event.exchange)
  })

  async function open(appId: string): Promise<void> {
    if (isReported) return
    const widgets = await openFirstIssue(emulator, group)
    const widget = widgets.find((each) => each.appId === appId)
    // If the log of requests is paused, there was no event.
    if (widget !== undefined && !isReported) report(widget)
  }

  function announce(): void {
    group = { id: `save_${Date.now()}`, kind: 'save' }
    emulator.events.emit({ type: 'source_changed', group })
  }

  return {
    async reload(appId, newChanges) {
      clearTimeout(timer)
      const hasPage = emulator.events.subscribers > 1
      changes = newChanges
      isReported = false
      announce()
      if (!hasPage) await open(appId)
      else timer = setTimeout(() => void open(appId).catch(() => undefined), PAGE_TIMEOUT_MS)
    },
    announce() {
      clearTimeout(timer)
      isReported = true
      announce()
    },
    stop() {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
