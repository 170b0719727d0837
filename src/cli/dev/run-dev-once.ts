import { renderPayload } from '../../render/index.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { describeFailure } from '../../service/endpoint-failures.ts'
import type { CliContext } from '../io.ts'
import { connectApp } from './app-link.ts'
import { createServers } from './app-server.ts'
import { isFailed, toFailureReport } from './failures.ts'
import { waitForEndpoint } from './listening.ts'
import { openFirstIssue } from './load-reports.ts'
import { openSession, type Session } from './session.ts'
import type { DevSettings } from './settings.ts'

/** How long a server may take to start, for example to install or compile something. */
const START_TIMEOUT_MS = 60_000

/**
 * Starts the app, opens one issue, prints the sidebar and every failure, and
 * stops the app.
 *
 * @returns the exit code
 */
export async function runDevOnce(settings: DevSettings, io: CliContext, signal: AbortSignal) {
  await using session = await openSession(settings, io, signal)
  const { emulator, reporter, over } = session
  const servers = createServers(session, (reason) => {
    if (reason === undefined) reporter.warn('your command ended before it listened')
    session.end()
  })
  for (const server of servers) server.start()
  const timeoutMs = settings.hintAfterMs ?? START_TIMEOUT_MS
  const ids = new Set<string>()
  for (const server of servers) {
    // oxlint-disable no-await-in-loop -- one app after another
    if (!(await waitForEndpoint(server.endpoint, timeoutMs, over))) {
      if (signal.aborted) return EXIT_CODES.interrupted
      if (over.aborted) return EXIT_CODES.failed
      server.hintThatNothingListens()
      return EXIT_CODES.unreachable
    }
    for (const each of server.apps) {
      const { app } = await connectApp(session, each)
      const isConnected = app.state === 'connected'
      if (!isConnected || !settings.json) reporter.connected(app)
      if (!isConnected) return EXIT_CODES.failed
      ids.add(app.id)
    }
    // oxlint-enable no-await-in-loop
  }
  // The database may contain apps of earlier runs.
  const widgets = (await openFirstIssue(emulator)).filter(({ appId }) => ids.has(appId))
  if (widgets.length === 0) {
    reporter.warn('The data set has no issue, so no data was requested.')
    return EXIT_CODES.failed
  }
  for (const widget of widgets) print(widget, session)
  return widgets.some(isFailed) ? EXIT_CODES.failed : EXIT_CODES.ok
}

function print(widget: WidgetView, { settings: { json }, io }: Session): void {
  const { outcome, payload, failures, message, fix } = widget
  const text = payload === null ? null : renderPayload(payload, { color: io.color && !json }).text
  if (json) {
    const reports = failures.map(toFailureReport)
    const result = { ok: !isFailed(widget), outcome, message, fix, text, failures: reports }
    io.stdout.write(`${JSON.stringify({ event: 'opened', ...result })}\n`)
    return
  }
  if (text !== null) io.stdout.write(`\n${text}`)
  const warn = (line: string) => io.stderr.write(`sidecard dev: ${line}\n`)
  for (const failure of failures) {
    const { location = null, stack = null } = failure.error ?? {}
    const place = location === null ? '' : ` at ${location.file}:${location.line}`
    warn(describeFailure(failure) + place)
    if (stack !== null) io.stderr.write(`${stack}\n`)
  }
  if (failures.length === 0 && outcome !== 'rendered') {
    const problem = message.replace(/\.$/, '') || 'a card is shown instead of customer data'
    warn(`${outcome}: ${problem}. ${fix}`.trim())
  }
}
