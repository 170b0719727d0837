/**
 * Actions: buttons in the sidebar that do something, with a page of the same app.
 *
 * @module
 */
export {
  type Action,
  action,
  type ActionContent,
  type ActionContext,
  type ActionOptions,
  type RefreshedSections,
} from './action.ts'
export { ActionError } from './action-error.ts'
export { actions } from './actions.ts'
export { type Agent, type AgentSource, anyAgent, type SignIn } from './agent.ts'
export type { Claims, ClaimState } from './claims.ts'
export { cloudflareAccess, type CloudflareAccessOptions } from './cloudflare-access.ts'
export {
  type Field,
  type Form,
  type FormValues,
  numberField,
  type NumberFieldOptions,
  selectField,
  type SelectFieldOptions,
  textField,
  type TextFieldOptions,
} from './fields.ts'
export { memoryClaims, type MemoryClaimsOptions } from './memory-claims.ts'
export type { ActionMessages } from './messages.ts'
export type { ActionsOptions } from './options.ts'
export { type IoredisScripts, type NodeRedisScripts, redisClaims } from './redis-claims.ts'
export {
  CLAIMS_TABLE,
  d1Claims,
  type D1Statements,
  postgresClaims,
  type PostgresQuery,
} from './sql-claims.ts'
export { trustedHeader, type TrustedHeaderOptions } from './trusted-header.ts'
