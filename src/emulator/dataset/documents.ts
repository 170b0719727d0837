import type { StoredDocument } from '../store/store.ts'
import type { Dataset, DatasetIssue } from './dataset.ts'

/** The kinds of stored documents. */
export const KINDS = {
  account: 'account',
  app: 'app',
  issue: 'issue',
  message: 'message',
  organization: 'organization',
  task: 'task',
} as const

/** A stored issue. Its messages are separate documents. */
export type StoredIssue = Omit<DatasetIssue, 'messages'>

/** Converts a data set to documents, in the order of the lists. */
export function* toDocuments(dataset: Dataset): Generator<StoredDocument> {
  const all = (kind: string, bodies: readonly { readonly id?: string | undefined }[]) =>
    bodies.map((body) => ({ kind, parent: '', id: body.id ?? '', body }))
  yield* all(KINDS.organization, [dataset.organization])
  yield* all(KINDS.account, dataset.accounts)
  yield* all('user', dataset.users)
  yield* all('team', dataset.teams)
  yield* all('tag', dataset.tags)
  yield* all('user_role', dataset.userRoles)
  yield* all('knowledge_base', dataset.knowledgeBases)
  yield* all('ticket_form', dataset.ticketForms)
  for (const { messages, ...issue } of dataset.issues) {
    yield { kind: KINDS.issue, parent: '', id: issue.id, body: issue }
    for (const message of messages) {
      yield { kind: KINDS.message, parent: issue.id, id: message.id ?? '', body: message }
    }
  }
}
