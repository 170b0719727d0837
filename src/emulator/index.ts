/**
 * The service on your machine, for tests and for `sidecard dev`.
 *
 * @module
 * @see docs/emulator.md
 */
export { createEmulator } from './emulator.ts'
export type { Emulator, Snapshot } from './emulator.ts'
export type { ApiRequest, EmulatorRequests } from './api/request-log.ts'
export type { EmulatorConsole } from './console.ts'
export type { DatasetInput } from './dataset/parse-dataset.ts'
export type { EmulatorFaults } from './faults/engine.ts'
export type { FaultEffect, FaultRule, FaultSide } from './faults/rules.ts'
export type { EmulatorAppInput, EmulatorApps } from './host/apps.ts'
export type { EmulatorExchanges } from './host/exchanges.ts'
export type { EmulatorIssues } from './host/issues.ts'
export type { Listener } from './listener/listen.ts'
export type { EmulatorOptions } from './options.ts'
export type { EmulatorPresets } from './presets.ts'
export type { StoredDocument } from './store/store.ts'
export type {
  AppView,
  HandshakeView,
  IssueSummary,
  IssueView,
  MessageView,
} from './protocol/workspace.ts'
export type { OpenedWidgets, StatesRun, WidgetView } from './protocol/widgets.ts'
export type {
  ConsoleEntry,
  CustomIds,
  ExchangeGroup,
  ExchangeSummary,
  ExchangeView,
  FailureErrorView,
  FailureView,
  HandshakeExplanation,
  ImportResult,
  PresetView,
  SaveResult,
  ScenarioId,
  SourceLocation,
  TimingSpan,
  WidgetOutcome,
} from './protocol/exchanges.ts'
