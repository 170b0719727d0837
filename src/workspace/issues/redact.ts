import type { MessageView } from '../../emulator/protocol/workspace.ts'
import { withNetworkError, ControlError } from '../core/control.ts'
import { loadIssue } from './issue.ts'
import { workspace } from '../core/workspace.ts'

/**
 * Redacts a message through the API, as a client of the service does.
 *
 * @throws {ControlError} if the API rejects the request or does not respond.
 */
export async function redactMessage(issueId: string, message: MessageView): Promise<void> {
  const api = workspace.peek()?.api
  if (api === undefined) return
  const base = new URL(api.baseUrl, location.href)
  const path = `${base.pathname.replace(/\/$/, '')}/issues/${encodeURIComponent(issueId)}/messages/${encodeURIComponent(message.id)}/redact`
  const response = await withNetworkError(
    // Only the path is used, because the page may have been opened with another name of this
    // machine.
    fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.accessToken}` },
      redirect: 'error',
    }),
  )
  if (!response.ok) throw new ControlError(`The API returned ${response.status}.`)
  await loadIssue(issueId)
}
