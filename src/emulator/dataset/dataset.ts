import type { DocumentKind, Documents } from '../store/documents.ts'
import type { DatasetIssue } from './records.ts'

type ListedKind = Exclude<DocumentKind, 'app' | 'issue' | 'message' | 'task'>

/**
 * The initial data of an emulator by kind, the same on every run and every
 * machine. It has one organization.
 */
export type Dataset = { readonly [Kind in ListedKind]: ReadonlyArray<Documents[Kind]> } & {
  readonly issue: readonly DatasetIssue[]
}
