import { signal } from '@preact/signals'
import type { StatesRun } from '../../emulator/protocol/widgets.ts'
import { act } from '../core/act.ts'
import { control, errorMessage } from '../core/control.ts'
import { downloadText } from '../core/download.ts'
import { issueId } from './issue.ts'

/** The newest run over all customers and states. */
export const statesRun = signal<StatesRun | null>(null)

/** Whether a run is pending. */
export const isRunningStates = signal(false)

/** Why the newest run failed; null if it did not. */
export const statesError = signal<string | null>(null)

/**
 * Downloads all states as one HTML page. Without `anonymize`, it contains
 * everything that agents see.
 */
export async function downloadStates(anonymize: boolean): Promise<void> {
  await act(async () => {
    const id = { issueId: issueId.peek() ?? '' }
    const { html } = await control('POST issues/:issueId/export', id, { anonymize })
    downloadText(anonymize ? 'states.html' : 'states-with-data.html', html, 'text/html')
  })
}

let newest = 0

/** Opens the issue as every customer and in every state. The last run stays visible until then. */
export async function runStates(): Promise<void> {
  const issue = issueId.peek()
  if (issue === null) return
  newest += 1
  const own = newest
  isRunningStates.value = true
  let run: StatesRun | null = null
  let failure: string | null = null
  try {
    run = await control('POST issues/:issueId/states', { issueId: issue })
  } catch (error) {
    failure = errorMessage(error)
  }
  // A newer run has started, for another issue or after another save.
  if (own !== newest) return
  statesRun.value = run ?? statesRun.peek()
  statesError.value = failure
  isRunningStates.value = false
}
