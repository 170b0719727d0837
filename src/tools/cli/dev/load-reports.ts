import type { Emulator } from '../../emulator/emulator.ts'
import type { ExchangeGroup, ExchangeSummary } from '../../emulator/protocol/exchanges.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { WorkspaceEvent } from '../../emulator/protocol/workspace.ts'
import { INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'
import { isAsIntended } from '../../service/endpoint/as-intended.ts'
import type { AppServer } from './app-server.ts'
import type { Verdict } from './reporter.ts'
import type { Session } from './session.ts'

/** Loads the widgets after saves, and reports the results in the terminal. */
export interface LoadReports extends ReturnType<typeof createLoadReports> {}

/** A save, and the expected responses. */
interface Reload {
  readonly files: readonly string[]
  readonly verdict: Verdict
  /** Returns whether a response is from the code that was saved. */
  readonly isCurrent: (instance: string | undefined) => boolean
}

/** The customer or state whose sidebar is requested. */
type Subject = Extract<WorkspaceEvent, { type: 'request_as' }>['subject']

/** How long to wait for a page to request the data. It may show something other than an issue. */
const PAGE_TIMEOUT_MS = 2_000

/** When to request the data again, if old code responded. */
const AGAIN_MS = 250

/** Creates the reports of a session. */
export function createLoadReports(
  { emulator, reporter, traffic, defer }: Session,
  servers: readonly AppServer[],
) {
  let group: ExchangeGroup = { id: '', kind: 'save' }
  let current: Reload | undefined
  let expected = new Set<string>()
  let turn = 0
  let wanted: string | undefined
  let announcedAt = 0
  let timer: NodeJS.Timeout | undefined

  function readExchange(summary: ExchangeSummary): void {
    const { id, appId, kind, source, outcome, status, state, customer } = summary
    if (kind !== 'fetch_data' || source !== 'emulator') return
    // The command's failure explains the missing response, and is already reported.
    if (status === null && servers.some((server) => server.hasFailed)) return
    const exchange = emulator.exchanges.get(id)
    if (current !== undefined && exchange.group?.id === group.id && expected.has(appId)) {
      if (current.isCurrent(exchange.response?.headers[INSTANCE_HEADER])) {
        expected.delete(appId)
        reporter.loaded(exchange, current.verdict, current.files)
      } else {
        clearTimeout(timer)
        timer = setTimeout(load, AGAIN_MS)
      }
      return
    }
    const isWanted = wanted !== undefined && [state, customer].includes(wanted)
    if (isWanted) wanted = undefined
    const hasFailed = outcome === 'failed' && !isAsIntended(summary)
    if (isWanted || (hasFailed && exchange.group?.kind !== 'states')) {
      reporter.loaded(exchange, 'fetched', [])
    }
  }

  const unsubscribe = emulator.events.subscribe((event) => {
    if (event.type === 'exchange') readExchange(event.exchange)
    if (event.type === 'checked') reporter.checked(event.app, event.report)
  })
  defer(() => {
    clearTimeout(timer)
    unsubscribe()
  })

  /** Returns whether a page is open. This module is a subscriber, too, like each page. */
  const hasPage = () => emulator.events.subscribers > 1

  function load(): void {
    const note = current?.verdict === 'unchanged' ? { note: 'No new code' } : {}
    group = { id: `save_${Date.now()}`, kind: 'save' }
    announcedAt = performance.now()
    clearTimeout(timer)
    emulator.events.emit({ type: 'source_changed', group, ...note })
    timer = setTimeout(() => void openUnlessRequested(), hasPage() ? PAGE_TIMEOUT_MS : 0)
  }

  async function openUnlessRequested(): Promise<void> {
    if (expected.size === 0 || traffic.fetchedAt() > announcedAt) return
    await openFirstIssue(emulator, group).catch(() => undefined)
  }

  return {
    /**
     * Makes all pages load their widgets. If no page requests those of these apps, the
     * newest issue is opened.
     */
    show(appIds: readonly string[], reload?: Reload): void {
      current = reload
      expected = new Set(appIds)
      load()
    },
    /** Requests the sidebar as the next customer, or in the next state, of the project. */
    async showNext(): Promise<void> {
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
  }
}

/**
 * Opens the newest issue as the first customer of the command line or, without
 * one, of the project. `subject` is another customer or a state.
 *
 * @returns the widgets of all apps; none if the data set has no issue
 */
export async function openFirstIssue(
  { issues, project }: Emulator,
  group?: ExchangeGroup,
  subject?: Subject,
): Promise<readonly WidgetView[]> {
  const [issue] = issues.list()
  if (issue === undefined) return []
  const [customer] = project.customers()
  const as = subject ?? (customer && { kind: 'customer', name: customer.name })
  const options = { ...(as && { [as.kind]: as.name }), ...(group && { group }) }
  return (await issues.open(issue.id, options)).widgets
}
