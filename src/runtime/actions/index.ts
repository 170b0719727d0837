/**
 * Actions: buttons in the sidebar that do something, with a page of the same app.
 *
 * @module
 */
export {
  type Action,
  action,
  type ActionContext,
  type ActionOptions,
  type LookedUp,
  type RunContext,
  type UnknownReceipt,
} from './action.ts'
export { ActionError } from './action-error.ts'
export { actions } from './actions.ts'
export {
  type Agent,
  anyAgent,
  type IdentifiedAgent,
  type SignIn,
  type SignInResult,
} from './agent.ts'
export { cloudflareAccess } from './cloudflare-access.ts'
export { checkboxField, dateField, type Field, selectField, textField } from './fields.ts'
export { memoryReceipts } from './memory-receipts.ts'
export type { ActionMessages } from './messages.ts'
export { moneyField, numberField } from './number-fields.ts'
export { openIdConnect } from './open-id-connect.ts'
export type { ActionsOptions } from './options.ts'
export type { Receipt, ReceiptFilter, Receipts, ReceiptState } from './receipts.ts'
export { signedHeader } from './signed-header.ts'
export {
  CREATE_RECEIPTS_TABLE,
  type D1Statements,
  d1Receipts,
  postgresReceipts,
  sqliteReceipts,
} from './sql-receipts.ts'
export { trustedHeader } from './trusted-header.ts'
