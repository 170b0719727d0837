/**
 * The service's side of the contract, for a user's own tests.
 *
 * @module
 * @see docs/testing.md
 */
export { createCaller } from './caller.ts'
export type { Caller, CallerOptions, FetchDataResult, HandshakeResult } from './caller.ts'
export { countedCodes, randomCode } from './codes.ts'
export type { CodeSource } from './codes.ts'
export type { ConnectionState } from './connection.ts'
export { DEFAULT_IDS, desk } from './desk.ts'
export type { App, Desk, DeskOptions, ExecutionContext, OpenedIssue } from './desk.ts'
export type { Exchange, ExchangeResponse } from './exchange.ts'
export type { Failure, FailureKind } from './failure.ts'
export type { FetchDataIds } from './query.ts'
export { isRecording, replay } from './recording.ts'
export type { Recording } from './recording.ts'
export type { Finding, RuleGroup, RuleLevel } from './rules/rule.ts'
export type { FetchTarget, Target } from './target.ts'
export type { HandshakeFault, HandshakeForm } from './verify.ts'
export type { DataFault } from './data-answer.ts'
