import { randomUUID } from 'node:crypto'
import type { Emulator } from '../../emulator/emulator.ts'
import type { ExchangeGroup, ExchangeView } from '../../emulator/protocol/exchanges.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import type { SaveView, WorkspaceEvent } from '../../emulator/protocol/workspace.ts'
import { INSTANCE_HEADER } from '../../../runtime/internal/headers.ts'
import type { AppServer } from './app-server.ts'
import { type CommandFailure, findCommandFailure } from '../server/command-failure.ts'
import { isFailed } from './reporter.ts'
import type { Verdict } from './loop/loop-state.ts'
import type { Session } from './session.ts'

/** Loads the widgets after saves, and reports the results in the terminal. */
export interface LoadReports extends ReturnType<typeof createLoadReports> {}

/** A save whose code responds, and the expected responses. */
interface Reload {
  readonly files: readonly string[]
  readonly verdict: Verdict
  readonly appIds: readonly string[]
  /** Returns whether a response with this ID may be from the code that was saved. */
  readonly isCurrent: (id: string | undefined) => boolean
  /** Returns whether a newer save has replaced this one. */
  readonly isAwaited: () => boolean
  /** Called when each app has responded. */
  readonly onLoaded: () => void
}

/** A reload, and the apps that have not responded. */
interface PendingReload extends Reload {
  group: ExchangeGroup
  announcedAt: number
  readonly expected: Set<string>
  timer?: NodeJS.Timeout
}

/** The customer or state whose sidebar is requested. */
type Subject = Extract<WorkspaceEvent, { type: 'request_as' }>['subject']

/** How long to wait for a page to request the data. It may show something other than an issue. */
const PAGE_TIMEOUT_MS = 2_000

/** When to request the data again, if old code responded. */
const AGAIN_MS = 250

/**
 * Finds what an app printed about a request that failed: without the framework, it sends no
 * error, but its runtime prints one, before the response or soon after it.
 *
 * @param onLate called if the output arrives after the response
 */
function createExceptions(
  { emulator, io, traffic }: Session,
  onLate: (exchange: ExchangeView, exception: CommandFailure) => void,
) {
  let unexplained: ExchangeView | undefined

  function search(exchange: ExchangeView): CommandFailure | undefined {
    const { id: exchangeId, at } = exchange
    const lines = emulator.console.list().filter((entry) => entry.at >= at)
    const found = findCommandFailure(lines.map(({ text }) => text).join('\n'), io.cwd)
    // Python prints the message of an error after the indented lines.
    const isIncomplete = /^Traceback.*(?:\n\s.*)*$/.test(found?.excerpt ?? '')
    if (found?.location === undefined || isIncomplete) return undefined
    const { location, excerpt } = found
    emulator.events.emit({ type: 'exception', exchangeId, location, excerpt })
    return found
  }

  return {
    find(exchange: ExchangeView): CommandFailure | undefined {
      unexplained = undefined
      if (!isFailed(exchange) || exchange.failures.length > 0) return undefined
      const found = search(exchange)
      if (found === undefined) unexplained = exchange
      return found
    },
    /** Output after a save is about the new code. */
    forgetBefore(saves: readonly SaveView[]): void {
      if (saves.some(({ phase }) => phase === 'saved')) unexplained = undefined
    },
    /** Searches again, because the app has printed something. */
    searchAgain(): void {
      if (unexplained === undefined || !traffic.causesOutput()) return
      const exchange = unexplained
      const found = search(exchange)
      if (found === undefined) return
      unexplained = undefined
      onLate(exchange, found)
    },
  }
}

/** Creates the reports of a session. */
export function createLoadReports(session: Session, servers: readonly AppServer[]) {
  const { emulator, reporter, over, defer } = session
  const reloads = createReloads(session)
  const exceptions = createExceptions(session, (exchange, exception) => {
    if (exchange.group?.kind !== 'states') reporter.loaded(exchange, 'fetched', [], exception)
  })
  let turn = 0
  let wanted: string | undefined

  function readExchange(exchange: ExchangeView): void {
    const { kind, source, status, state, customer } = exchange
    if (kind !== 'fetch_data' || source !== 'emulator' || over.aborted) return
    // The failure of the command, or a newer save, explains the missing response.
    if (status === null && servers.some((server) => server.hasFailed() || server.isReplaced()))
      return
    const exception = exceptions.find(exchange)
    if (reloads.read(exchange, exception)) return
    const isWanted = wanted !== undefined && [state, customer].includes(wanted)
    if (isWanted) wanted = undefined
    if (isWanted || (isFailed(exchange) && exchange.group?.kind !== 'states')) {
      reporter.loaded(exchange, 'fetched', [], exception)
    }
  }

  defer(
    emulator.events.subscribe((event) => {
      // The output that the app wrote before its response is read first.
      if (event.type === 'exchange') {
        setImmediate(readExchange, emulator.exchanges.get(event.exchange.id))
      }
      if (event.type === 'console') exceptions.searchAgain()
      if (event.type === 'saves') exceptions.forgetBefore(event.saves)
      if (event.type === 'checked') reporter.checked(event.app, event.report)
    }),
  )

  return {
    ...reloads,
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
      if (!hasPage(emulator)) await openFirstIssue(emulator, undefined, subject)
    },
  }
}

/** Returns whether a page is open. The reports are a subscriber, too, like each page. */
const hasPage = ({ events }: Emulator) => events.subscribers > 1

/** Keeps the newest reload of each server until its apps have responded. */
function createReloads({ emulator, traffic, reporter, defer }: Session) {
  const pending = new Map<AppServer, PendingReload>()
  defer(() => {
    for (const { timer } of pending.values()) clearTimeout(timer)
  })

  const createGroup = () => ({ id: `save_${randomUUID()}`, kind: 'save' }) as const

  function endIfComplete(reload: PendingReload): void {
    if (reload.expected.size > 0) return
    clearTimeout(reload.timer)
    reload.onLoaded()
  }

  function load(reload: PendingReload): void {
    if (reload.isAwaited()) return
    const note = reload.verdict === 'unchanged' ? { note: 'No new code' } : {}
    reload.group = createGroup()
    reload.announcedAt = Date.now()
    clearTimeout(reload.timer)
    emulator.events.emit({ type: 'source_changed', group: reload.group, ...note })
    const wait = hasPage(emulator) ? PAGE_TIMEOUT_MS : 0
    reload.timer = setTimeout(() => void openUnlessRequested(reload), wait)
  }

  /** Opens the newest issue, if no page has requested it. */
  async function openUnlessRequested(reload: PendingReload): Promise<void> {
    const { group, expected, appIds } = reload
    if (expected.size === 0) return
    if (traffic.isFetching()) {
      reload.timer = setTimeout(() => void openUnlessRequested(reload), AGAIN_MS)
      return
    }
    const widgets = await openFirstIssue(emulator, group).catch(() => [])
    // Without an issue, nothing can be loaded.
    const isEmpty = !widgets.some(({ appId }) => appIds.includes(appId))
    if (isEmpty && reload.group === group) reload.expected.clear()
    if (isEmpty) endIfComplete(reload)
  }

  return {
    /** Makes all pages load their widgets, although no code is new. */
    announce: () => emulator.events.emit({ type: 'source_changed', group: createGroup() }),
    /**
     * Makes all pages load their widgets. If no page requests those of the server, the
     * newest issue is opened.
     */
    show(server: AppServer, reload: Reload): void {
      clearTimeout(pending.get(server)?.timer)
      const expected = new Set(reload.appIds)
      const next = { ...reload, group: createGroup(), announcedAt: 0, expected }
      pending.set(server, next)
      load(next)
    },
    /** Returns whether a reload expects this response, which is reported if it is from new code. */
    read(exchange: ExchangeView, exception: CommandFailure | undefined): boolean {
      const { appId, at, group, response } = exchange
      const reload = [...pending.values()].find(
        (each) =>
          each.expected.has(appId) &&
          (group?.id === each.group.id || Date.parse(at) >= each.announcedAt),
      )
      if (reload === undefined) return false
      if (reload.isAwaited()) return true
      if (reload.isCurrent(response?.headers[INSTANCE_HEADER])) {
        reload.expected.delete(appId)
        reporter.loaded(exchange, reload.verdict, reload.files, exception)
        endIfComplete(reload)
      } else {
        clearTimeout(reload.timer)
        reload.timer = setTimeout(() => load(reload), AGAIN_MS)
      }
      return true
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
