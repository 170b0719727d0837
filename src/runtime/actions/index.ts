/**
 * Actions: buttons in the sidebar that do something, with a page of the same app.
 *
 * @module
 */
export { action } from './action.ts'
export type {
  Action,
  ActionContext,
  ActionOptions,
  LookedUp,
  RunContext,
  UnknownReceipt,
} from './run/definition.ts'
export { ActionError } from './run/action-error.ts'
export { actions } from './actions.ts'
export {
  type Agent,
  anyAgent,
  type IdentifiedAgent,
  type SignIn,
  type SignInResult,
} from './sign-in/agent.ts'
export { checkboxField, dateField, type Field, selectField, textField } from './fields/fields.ts'
export { memoryReceipts } from './receipts/memory-receipts.ts'
export type { ActionMessages } from './messages.ts'
export { moneyField, numberField } from './fields/number-fields.ts'
export { openIdConnect } from './sign-in/open-id-connect.ts'
export type { ActionsOptions } from './run/options.ts'
export type { Receipt, ReceiptFilter, Receipts, ReceiptState } from './receipts/receipts.ts'
export { cloudflareAccess, signedHeader } from './sign-in/signed-header.ts'
export {
  CREATE_RECEIPTS_TABLE,
  type D1Statements,
  d1Receipts,
  postgresReceipts,
  sqliteReceipts,
} from './receipts/sql-receipts.ts'
export { trustedHeader } from './sign-in/trusted-header.ts'
