import type {
  KnowledgeBase,
  Message,
  Tag,
  Team,
  TicketForm,
  User,
  UserRole,
} from '../../contract/resources.ts'

/** A customer. The API has no operation for accounts, but issues and tasks refer to their IDs. */
export interface Account {
  readonly id: string
  readonly name: string
}

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
  readonly messages: readonly Message[]
}

/** The organization that owns all issues. */
export interface Organization {
  readonly id: string
  readonly name: string
}

/** The initial data of an emulator, the same on every run and every machine. */
export interface Dataset {
  readonly organization: Organization
  readonly accounts: readonly Account[]
  readonly users: readonly User[]
  readonly teams: readonly Team[]
  readonly tags: readonly Tag[]
  readonly userRoles: readonly UserRole[]
  readonly knowledgeBases: readonly KnowledgeBase[]
  readonly ticketForms: readonly TicketForm[]
  readonly issues: readonly DatasetIssue[]
}
