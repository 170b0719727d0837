import type { IssueSummary } from '../protocol/workspace.ts'
import type { DatasetIssue } from '../store/documents.ts'

/** The role of people who write to support. */
export const REQUESTER = 'role_requester'

/** A person who writes to support. */
type Requester = IssueSummary['requester']

/** Creates the user of a requester. */
export function newUser({ id, name, email }: Requester) {
  const emails = email === '' ? [] : [email]
  return { id, name, email, emails, avatar_url: '', role_id: REQUESTER, status: 'active' }
}

/**
 * Creates an issue without an assignee and tags, with one message.
 *
 * @param messageKey part of the IDs of the message and its thread
 */
export function newIssue(
  fields: Pick<DatasetIssue, 'id' | 'number' | 'title' | 'state' | 'account_id' | 'created_at'>,
  { id, name, email }: Requester,
  message_html: string,
  messageKey = fields.number,
): DatasetIssue {
  const message = {
    id: `msg_${messageKey}_1`,
    thread_id: `thr_${messageKey}`,
    timestamp: fields.created_at,
    message_html,
    is_private: false,
    source: 'email',
    file_urls: [],
    author: { name, avatar_url: '', contact: { id, email } },
  }
  return { ...fields, requester_id: id, assignee_id: null, tag_ids: [], messages: [message] }
}
