import type { MessageView } from '../../protocol.ts'
import { answered, ControlError } from './control.ts'
import { loadIssue } from './issue.ts'
import { workspace } from './workspace.ts'

/**
 * Redacts a message through the API, as any client of the service would.
 *
 * @throws {ControlError} when the API refuses or does not answer.
 */
export async function redactMessage(issueId: string, message: MessageView): Promise<void> {
  const api = workspace.peek()?.api
  if (api === undefined) return
  const base = new URL(api.baseUrl, location.href)
  const path = `${base.pathname.replace(/\/$/, '')}/issues/${encodeURIComponent(issueId)}/messages/${encodeURIComponent(message.id)}/redact`
  const response = await answered(
    // The path alone: the page may have been opened under another name of this machine.
    fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.accessToken}` },
      redirect: 'error',
    }),
  )
  if (!response.ok) throw new ControlError(`The API answered ${response.status}.`)
  await loadIssue(issueId)
}
