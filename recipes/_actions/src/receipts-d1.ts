import { type D1Statements, d1Receipts } from 'sidecard/actions'

/** Stores what was confirmed, by whom, and the outcome, in the database of this project. */
export const receipts = (env: object) => d1Receipts((env as { readonly DB?: D1Statements }).DB)
