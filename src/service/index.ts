/**
 * Plays the service in your own tests.
 *
 * @module
 * @see docs/testing.md
 */
export type { ActionOutcome, ConfirmedAction, OpenedAction } from './action-page.ts'
export { randomCode, sequentialCodes } from './codes.ts'
export type { CodeGenerator } from './codes.ts'
export type { ConnectionState } from './connection.ts'
export { createEndpointClient } from './endpoint-client.ts'
export type {
  EndpointClient,
  ErrorStateResult,
  FetchDataResult,
  HandshakeResult,
  ShownResult,
} from './endpoint-client.ts'
export type { EndpointClientOptions } from './endpoint-options.ts'
export type { DesignedCard, EndpointFailure, FailureError } from './endpoint-failures.ts'
export type { Exchange, ExchangeResponse } from './exchange.ts'
export type { EnvOfApp, ExecutionContext, TestApp } from './in-process.ts'
export type { FetchDataIds } from './query.ts'
export { isRecording, replay } from './recording.ts'
export type { Recording } from './recording.ts'
export type { Finding, RuleGroup, RuleLevel } from './rules/rule.ts'
export type { FetchTarget, Target } from './target.ts'
export { createTestService, DEFAULT_IDS } from './test-service.ts'
export type { OpenedIssue, TestAgent, TestService, TestServiceOptions } from './test-service.ts'
export type { TransportFailure, TransportFailureKind } from './transport-failure.ts'
export type { DataFailureReason } from './validate-data-response.ts'
export type { HandshakeFailureReason, HandshakeForm } from './validate-handshake.ts'
