import { renderPayload } from '../../render/index.ts'
import type { WidgetView } from '../../emulator/protocol/widgets.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import type { CliContext } from '../io.ts'
import { connectApp } from './app-link.ts'
import { describe, isFailed, toFailureReport } from './describe-load.ts'
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
  const { endpoint, emulator, reporter, command, monitor } = session
  command.start()
  const timeoutMs = settings.hintAfterMs ?? START_TIMEOUT_MS
  if (!(await waitForEndpoint(endpoint, timeoutMs, over))) {
    if (signal.aborted) return EXIT_CODES.interrupted
    if (over.aborted) return EXIT_CODES.failed
    monitor.hintThatNothingListens()
    return EXIT_CODES.unreachable
  }
  const { app } = await connectApp(session)
  const isConnected = app.state === 'connected'
  if (!isConnected || !settings.json) reporter.connected(app)
  if (!isConnected) return EXIT_CODES.failed
  const widget = await openFirstIssue(emulator, app.id)
  if (widget === undefined) {
    reporter.warn('The data set has no issue, so no data was requested.')
    return EXIT_CODES.failed
  }
  print(widget, settings, io)
  return isFailed(widget) ? EXIT_CODES.failed : EXIT_CODES.ok
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
    warn(describe(failure))
    if (failure.error?.stack != null) io.stderr.write(`${failure.error.stack}\n`)
  }
  if (failures.length === 0 && outcome !== 'rendered') {
    const problem = message.replace(/\.$/, '') || 'a card is shown instead of customer data'
    warn(`${outcome}: ${problem}. ${fix}`.trim())
  }
}
