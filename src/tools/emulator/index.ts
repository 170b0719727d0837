/**
 * The service on your machine, for tests and for `sidecard dev`.
 *
 * @module
 * @see docs/emulator.md
 */
export { createEmulator } from './emulator.ts'
export type { Emulator, Snapshot } from './emulator.ts'
export type { ApiRequest } from './api/request-log.ts'
export type { DatasetInput } from './dataset/parse-dataset.ts'
export type { FaultEffect, FaultRule, FaultSide } from './faults/rules.ts'
export type { EmulatorAppInput } from './apps/apps.ts'
export type { Listener } from './listener/listen.ts'
export type { EmulatorOptions } from './core/options.ts'
export type { AppView, IssueSummary, IssueView } from './protocol/workspace.ts'
export type { WidgetView } from './protocol/widgets.ts'
export type {
  ExchangeSummary,
  ExchangeView,
  FailureView,
  SaveResult,
} from './protocol/exchanges.ts'
