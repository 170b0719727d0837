import type { Message } from '../../contract/resources.ts'
import type { MessageView } from '../protocol/workspace.ts'

/** A customer. The API has no operation for accounts, but issues and tasks refer to their IDs. */
export interface Account {
  readonly id: string
  readonly name: string
}

/** A message. Every field that the workspace shows is present. */
export type DatasetMessage = Omit<MessageView, 'redacted'> & Pick<Message, 'email_info'>

/** An issue in the emulator. The API only has operations for its messages. */
export interface DatasetIssue {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly state: 'new' | 'open' | 'waiting' | 'closed'
  readonly account_id: string | null
  readonly requester_id: string
  readonly assignee_id: string | null
  readonly tag_ids: readonly string[]
  readonly created_at: string
  readonly messages: readonly DatasetMessage[]
}

/** The organization that owns all issues. */
export interface Organization {
  readonly id: string
  readonly name: string
}
