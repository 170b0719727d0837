import { renderPayload } from '../../render/index.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { connectApp } from './app-link.ts'
import { describeWithPlace, isFailed, toFailureReport } from './describe-load.ts'
import { waitForEndpoint } from './listening.ts'
import { openFirstIssue } from './open-first-issue.ts'
import { openSession } from './session.ts'
import type { DevSettings } from './settings.ts'

/** A server that installs or compiles something first may take long. */
const START_TIMEOUT_MS = 60_000

/**
 * Starts the app, opens one issue, prints the sidebar and every failure, and
 * stops the app.
 *
 * @returns the exit code
 */
export async function runDevOnce(
  settings: DevSettings,
  io: CliContext,
  signal: AbortSignal,
): Promise<number> {
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  await using session = await openSession(settings, io, (reason) => {
    if (reason === undefined) session.reporter.warn('your command ended before it listened')
    ending.abort()
  })
  const { emulator, reporter, servers } = session
  for (const server of servers) server.process.start()
  const timeoutMs = settings.hintAfterMs ?? START_TIMEOUT_MS
  const ids = new Set<string>()
  for (const { endpoint, monitor, apps } of servers) {
    // oxlint-disable no-await-in-loop -- one app after another
    if (!(await waitForEndpoint(endpoint, timeoutMs, over))) {
      if (signal.aborted) return EXIT_CODES.interrupted
      if (over.aborted) return EXIT_CODES.failed
      monitor.hintThatNothingListens()
      return EXIT_CODES.unreachable
    }
    for (const each of apps) {
      const { app } = await connectApp(session, each)
      const isConnected = app.state === 'connected'
      if (!isConnected || !settings.json) reporter.connected(app)
      if (!isConnected) return EXIT_CODES.failed
      ids.add(app.id)
    }
    // oxlint-enable no-await-in-loop
  }
  // A database may have other apps.
  const widgets = (await openFirstIssue(emulator)).filter(({ appId }) => ids.has(appId))
  if (widgets.length === 0) {
    reporter.warn('The data set has no issue, so no data was requested.')
    return EXIT_CODES.failed
  }
  for (const widget of widgets) print(widget, settings, io)
  return widgets.some(isFailed) ? EXIT_CODES.failed : EXIT_CODES.ok
}

function print(
  { outcome, payload, failures, message, fix }: WidgetView,
  { json }: DevSettings,
  io: CliContext,
): void {
  const rendering =
    payload === null ? undefined : renderPayload(payload, { color: io.color && !json })
  if (json) {
    const text = rendering?.text ?? null
    const ok = !isFailed({ outcome, failures })
    const result = { ok, outcome, message, fix, text, failures: failures.map(toFailureReport) }
    io.stdout.write(`${JSON.stringify({ event: 'opened', ...result })}\n`)
    return
  }
  if (rendering !== undefined) io.stdout.write(`\n${rendering.text}`)
  const warn = (line: string) => io.stderr.write(`sidecard dev: ${line}\n`)
  for (const failure of failures) {
    warn(describeWithPlace(failure))
    if (failure.error?.stack != null) io.stderr.write(`${failure.error.stack}\n`)
  }
  if (failures.length === 0 && outcome !== 'rendered') {
    const problem = message.replace(/\.$/, '') || 'a card is shown instead of customer data'
    warn(`${outcome}: ${problem}. ${fix}`.trim())
  }
}
