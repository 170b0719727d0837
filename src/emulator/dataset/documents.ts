import type { StoredDocument } from '../store/store.ts'
import type { Dataset } from './dataset.ts'

/** Converts a data set to documents, in the order of the lists. */
export function* toDocuments({
  issue: issues = [],
  ...lists
}: Partial<Dataset>): Generator<StoredDocument> {
  for (const [kind, bodies] of Object.entries(lists)) {
    for (const body of bodies) yield { kind, parent: '', id: body.id ?? '', body }
  }
  for (const { messages, ...issue } of issues) {
    yield { kind: 'issue', parent: '', id: issue.id, body: issue }
    for (const message of messages) {
      yield { kind: 'message', parent: issue.id, id: message.id, body: message }
    }
  }
}
