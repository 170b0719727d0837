import { type D1Statements, d1Receipts } from 'sidecard/actions'

/** Stores what was confirmed, by whom, and the outcome. KV cannot decide who was first, but D1 can. */
export const receipts = (env: object) =>
  d1Receipts((env as { readonly RECEIPTS?: D1Statements }).RECEIPTS)
