import type {
  KnowledgeBase,
  Tag,
  Team,
  TicketForm,
  User,
  UserRole,
} from '../../contract/resources.ts'
import type { Account, DatasetIssue, DatasetMessage, Organization } from '../dataset/records.ts'
import type { AppRecord } from '../host/app-record.ts'
import type { TaskView } from '../protocol/tasks.ts'

/** A stored issue. Its messages are separate documents. */
export type StoredIssue = Omit<DatasetIssue, 'messages'>

/** The stored documents by kind. */
export interface Documents {
  readonly account: Account
  readonly app: AppRecord
  readonly issue: StoredIssue
  readonly knowledge_base: KnowledgeBase
  readonly message: DatasetMessage
  readonly organization: Organization
  readonly tag: Tag
  readonly task: TaskView
  readonly team: Team
  readonly ticket_form: TicketForm
  readonly user: User
  readonly user_role: UserRole
}

/** The kind of a stored document. */
export type DocumentKind = keyof Documents
