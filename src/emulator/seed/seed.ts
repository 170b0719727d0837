import type {
  KnowledgeBase,
  Message,
  Tag,
  Team,
  TicketForm,
  User,
  UserRole,
} from '../../contract/resources.ts'

/** A customer. The API has no operation for accounts; issues and tasks name their ids. */
export interface Account {
  readonly id: string
  readonly name: string
}

/** An issue, as the emulator keeps it; the API only knows its messages. */
export interface SeedIssue {
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

/** Everything that an emulator begins with. The same on every run and every machine. */
export interface Seed {
  readonly accounts: readonly Account[]
  readonly users: readonly User[]
  readonly teams: readonly Team[]
  readonly tags: readonly Tag[]
  readonly userRoles: readonly UserRole[]
  readonly knowledgeBases: readonly KnowledgeBase[]
  readonly ticketForms: readonly TicketForm[]
  readonly issues: readonly SeedIssue[]
}
