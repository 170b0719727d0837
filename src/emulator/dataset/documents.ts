import type { StoredDocument } from '../store/store.ts'
import type { DocumentKind } from '../store/documents.ts'
import type { Dataset } from './dataset.ts'

/** Converts a data set to documents, in the order of the lists. */
export function* toDocuments(dataset: Dataset): Generator<StoredDocument> {
  const all = (kind: DocumentKind, bodies: readonly { readonly id?: string | undefined }[]) =>
    bodies.map((body) => ({ kind, parent: '', id: body.id ?? '', body }))
  yield* all('organization', [dataset.organization])
  yield* all('account', dataset.accounts)
  yield* all('user', dataset.users)
  yield* all('team', dataset.teams)
  yield* all('tag', dataset.tags)
  yield* all('user_role', dataset.userRoles)
  yield* all('knowledge_base', dataset.knowledgeBases)
  yield* all('ticket_form', dataset.ticketForms)
  for (const { messages, ...issue } of dataset.issues) {
    yield { kind: 'issue', parent: '', id: issue.id, body: issue }
    for (const message of messages) {
      yield { kind: 'message', parent: issue.id, id: message.id ?? '', body: message }
    }
  }
}
