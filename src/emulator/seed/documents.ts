import type { StoredDocument } from '../store/store.ts'
import type { Seed, SeedIssue } from './seed.ts'

/** The kinds of documents, by the resource that they hold. */
export const KINDS = {
  account: 'account',
  app: 'app',
  issue: 'issue',
  message: 'message',
  task: 'task',
} as const

/** An issue as it is stored: its messages are documents of their own. */
export type StoredIssue = Omit<SeedIssue, 'messages'>

/** A seed as documents, in the order in which lists show them. */
export function* documentsOf(seed: Seed): Generator<StoredDocument> {
  const all = (kind: string, bodies: readonly { readonly id?: string | undefined }[]) =>
    bodies.map((body) => ({ kind, parent: '', id: body.id ?? '', body }))
  yield* all(KINDS.account, seed.accounts)
  yield* all('user', seed.users)
  yield* all('team', seed.teams)
  yield* all('tag', seed.tags)
  yield* all('user_role', seed.userRoles)
  yield* all('knowledge_base', seed.knowledgeBases)
  yield* all('ticket_form', seed.ticketForms)
  for (const { messages, ...issue } of seed.issues) {
    yield { kind: KINDS.issue, parent: '', id: issue.id, body: issue }
    for (const message of messages) {
      yield { kind: KINDS.message, parent: issue.id, id: message.id ?? '', body: message }
    }
  }
}
