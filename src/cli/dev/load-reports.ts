import type { ExchangeGroup, ExchangeSummary } from '../../emulator/protocol/exchanges.ts'
import { INSTANCE_HEADER } from '../../internal/headers.ts'
import type { Load } from './describe-load.ts'
import { openFirstIssue } from './open-first-issue.ts'
import type { Reload, Verdict } from './reload.ts'
import type { Session } from './session.ts'
import { pathsOf } from './source-watcher.ts'

/** Loads the widgets after saves, and reports the results in the terminal. */
export interface LoadReports {
  /** Makes all pages load their widgets. If no page is open, the newest issue is opened. */
  show(appIds: readonly string[], reload: Reload): Promise<void>
  /** Makes all pages load their widgets, without a report. */
  announce(): void
  /** Requests the sidebar as the next customer, or in the next state, of the project. */
  showNext(): Promise<void>
  stop(): void
}

/** How long a page may take to request the data. It may show something else than an issue. */
const PAGE_TIMEOUT_MS = 2_000

/** When to ask again, if code that is no longer there responded. */
const AGAIN_MS = 250

/** Creates the reports of a session. */
export function createLoadReports({ emulator, reporter, traffic, servers }: Session): LoadReports {
  let group: ExchangeGroup = { id: '', kind: 'save' }
  let current: Reload | undefined
  let expected = new Set<string>()
  let turn = 0
  let wanted: string | undefined
  let announcedAt = 0
  let timer: NodeJS.Timeout | undefined

  function report(exchange: ExchangeSummary, verdict: Verdict, files: readonly string[]): void {
    const { id, appName: app, customer, state, sections, durationMs } = exchange
    const { outcome, failures, message, fix } = emulator.exchanges.get(id)
    reporter.loaded({
      verdict,
      files,
      app,
      customer: state ?? customer,
      durationMs,
      load: { outcome: outcome as Load['outcome'], failures, message, fix },
      isRequested: sections !== null && Object.keys(sections).length > 0,
    })
  }

  function readExchange(exchange: ExchangeSummary): void {
    const { id, appId, kind, source, outcome, status } = exchange
    if (kind !== 'fetch_data' || source !== 'emulator') return
    // The failure of the command is the reason, and was reported.
    if (status === null && servers.some(({ monitor }) => monitor.hasFailed)) return
    if (current === undefined || exchange.group?.id !== group.id || !expected.has(appId)) {
      const isWanted = wanted !== undefined && [exchange.state, exchange.customer].includes(wanted)
      const hasFailed = outcome === 'failed' && exchange.sections === null
      if (isWanted) wanted = undefined
      if (isWanted || (hasFailed && exchange.group?.kind !== 'states')) {
        report(exchange, 'fetched', [])
      }
      return
    }
    const { response } = emulator.exchanges.get(id)
    if (!current.isCurrent(response?.headers[INSTANCE_HEADER])) {
      clearTimeout(timer)
      timer = setTimeout(() => void load().catch(() => undefined), AGAIN_MS)
      return
    }
    expected.delete(appId)
    report(exchange, current.verdict, pathsOf(current.changes))
  }

  const unsubscribe = emulator.events.subscribe((event) => {
    if (event.type === 'exchange') readExchange(event.exchange)
    if (event.type === 'checked') reporter.checked(event.app, event.report)
  })

  /** This module is one subscriber, and each page is another one. */
  const hasPage = () => emulator.events.subscribers > 1

  function announce(note?: string): void {
    group = { id: `save_${Date.now()}`, kind: 'save' }
    announcedAt = performance.now()
    emulator.events.emit({
      type: 'source_changed',
      group,
      ...(note !== undefined && { note }),
    })
  }

  async function load(): Promise<void> {
    const isUnchanged = current?.verdict === 'unchanged'
    announce(isUnchanged ? 'No new code' : undefined)
    if (!hasPage()) await openFirstIssue(emulator, group)
    else timer = setTimeout(() => void openUnlessRequested(), PAGE_TIMEOUT_MS)
  }

  async function openUnlessRequested(): Promise<void> {
    if (expected.size === 0 || traffic.fetchedAt > announcedAt) return
    await openFirstIssue(emulator, group).catch(() => undefined)
  }

  return {
    async show(appIds, reload) {
      clearTimeout(timer)
      current = reload
      expected = new Set(appIds)
      await load()
    },
    announce() {
      clearTimeout(timer)
      current = undefined
      announce()
    },
    async showNext() {
      const { customers, states } = emulator.project
      const all = [
        ...customers().map(({ name }) => ({ kind: 'customer', name }) as const),
        ...states().map(({ name }) => ({ kind: 'state', name }) as const),
      ]
      turn += 1
      const subject = all[turn % all.length]
      if (subject === undefined) return
      wanted = subject.name
      emulator.events.emit({ type: 'request_as', subject })
      if (!hasPage()) await openFirstIssue(emulator, undefined, subject)
    },
    stop() {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
