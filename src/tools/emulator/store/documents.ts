import type { Resources } from '../../../runtime/contract/resources.ts'
import type { TaskView } from '../protocol/tasks.ts'
import type { AppView, IssueSummary, MessageView, WorkspaceState } from '../protocol/workspace.ts'

/** A stored custom app, including the values of its headers. */
export interface AppRecord extends Pick<AppView, 'id' | 'name' | 'url' | 'widgets' | 'state'> {
  readonly headers: Readonly<Record<string, string>>
}

/** A customer. The API has no operation for accounts, but issues and tasks refer to their IDs. */
export type Account = NonNullable<IssueSummary['account']>

/** A message. Every field that the workspace shows is present. */
export type DatasetMessage = Omit<MessageView, 'redacted'> &
  Pick<Resources['message'], 'email_info'>

/** An issue in the emulator. The API only has operations for its messages. */
export interface DatasetIssue extends Pick<IssueSummary, 'id' | 'number' | 'title' | 'state'> {
  readonly account_id: string | null
  readonly requester_id: string
  readonly assignee_id: string | null
  readonly tag_ids: readonly string[]
  /** The name of a customer of the project, whose IDs are sent for this issue. */
  readonly customer?: string
  readonly created_at: string
  readonly messages: readonly DatasetMessage[]
}

/** The organization that owns all issues. */
export type Organization = WorkspaceState['organization']

/** A stored issue. Its messages are separate documents. */
export type StoredIssue = Omit<DatasetIssue, 'messages'>

/** The stored documents by kind. */
export interface Documents extends Omit<Resources, 'message' | 'task'> {
  readonly account: Account
  readonly app: AppRecord
  readonly issue: StoredIssue
  readonly message: DatasetMessage
  readonly organization: Organization
  readonly task: TaskView
}

/** The kind of a stored document. */
export type DocumentKind = keyof Documents

type ListedKind = Exclude<DocumentKind, 'app' | 'issue' | 'message' | 'task'>

/**
 * The initial data of an emulator by kind, the same on every run and every
 * machine. It has one organization.
 */
export type Dataset = { readonly [Kind in ListedKind]: ReadonlyArray<Documents[Kind]> } & {
  readonly issue: readonly DatasetIssue[]
}
