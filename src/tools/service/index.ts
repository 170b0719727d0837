/**
 * Plays the service in your own tests.
 *
 * @module
 * @see docs/testing.md
 */
export type { ActionOutcome, ConfirmedAction, OpenedAction } from './testing/action-page.ts'
export type { ConnectionState } from './endpoint/connection.ts'
export type { HandshakeResult } from './endpoint-client.ts'
export type { EndpointFailure } from './endpoint/endpoint-failures.ts'
export type { Exchange } from './endpoint/exchange.ts'
export type { TestApp } from './testing/in-process.ts'
export type { FetchDataIds } from './endpoint/query.ts'
export { isRecording, replay } from './responses/recording.ts'
export type { Recording } from './responses/recording.ts'
export type { Finding } from './response-rule.ts'
export type { FetchTarget, Target } from './endpoint/target.ts'
export { createTestService } from './testing/test-service.ts'
export type {
  OpenedIssue,
  TestAgent,
  TestService,
  TestServiceOptions,
} from './testing/test-service.ts'
