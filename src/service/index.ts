/**
 * Plays the service in your own tests.
 *
 * @module
 * @see docs/testing.md
 */
export type { ActionOutcome, ConfirmedAction, OpenedAction } from './action-page.ts'
export type { ConnectionState } from './connection.ts'
export type { HandshakeResult } from './endpoint-client.ts'
export type { EndpointFailure } from './endpoint-failures.ts'
export type { Exchange } from './exchange.ts'
export type { TestApp } from './in-process.ts'
export type { FetchDataIds } from './query.ts'
export { isRecording, replay } from './recording.ts'
export type { Recording } from './recording.ts'
export type { Finding } from './rules/rule.ts'
export type { FetchTarget, Target } from './target.ts'
export { createTestService } from './test-service.ts'
export type { OpenedIssue, TestAgent, TestService, TestServiceOptions } from './test-service.ts'
