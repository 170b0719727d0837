/**
 * Actions: buttons in the sidebar that do something, with a page of the same app.
 *
 * @module
 */
export { type Action, action, type ActionContext, type ActionOptions } from './action.ts'
export { ActionError } from './action-error.ts'
export { actions } from './actions.ts'
export { type Agent, type AgentSource, anyAgent, type SignIn } from './agent.ts'
export type { Claims, ClaimState } from './claims.ts'
export { cloudflareAccess } from './cloudflare-access.ts'
export { type Field, numberField, selectField, textField } from './fields.ts'
export { memoryClaims } from './memory-claims.ts'
export type { ActionMessages } from './messages.ts'
export type { ActionsOptions } from './options.ts'
export { redisClaims } from './redis-claims.ts'
export { CLAIMS_TABLE, d1Claims, postgresClaims } from './sql-claims.ts'
export { trustedHeader } from './trusted-header.ts'
