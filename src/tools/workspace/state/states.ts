import { act } from '../core/act.ts'
import { control } from '../core/control.ts'
import { downloadText } from '../core/download.ts'
import { remote } from '../core/remote.ts'
import { issueId } from './issue.ts'

const openIssue = () => ({ issueId: issueId.peek() ?? '' })

/** The newest run over all customers and states. */
export const statesRun = remote(() => control('POST issues/:issueId/states', openIssue()))

/** Opens the issue as every customer and in every state. */
export function runStates(): void {
  if (issueId.peek() !== null) void statesRun.load()
}

/**
 * Downloads all states as one HTML page. Without `anonymize`, it contains
 * everything that agents see.
 */
export async function downloadStates(anonymize: boolean): Promise<void> {
  await act(async () => {
    const { html } = await control('POST issues/:issueId/export', openIssue(), { anonymize })
    downloadText(anonymize ? 'states.html' : 'states-with-data.html', html, 'text/html')
  })
}
