import { type D1Statements, d1Receipts } from 'sidecard/actions'

/** What was confirmed, by whom, and what came of it: in the database of this project. */
export const receipts = (env: object) => d1Receipts((env as { readonly DB?: D1Statements }).DB)
