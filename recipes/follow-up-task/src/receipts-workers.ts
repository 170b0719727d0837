import { type D1Statements, d1Receipts } from 'sidecard/actions'

/** What was confirmed, by whom, and what came of it. KV cannot decide who was first, D1 can. */
export const receipts = (env: object) =>
  d1Receipts((env as { readonly RECEIPTS?: D1Statements }).RECEIPTS)
