/**
 * The service on your machine, for tests and for `sidecard dev`.
 *
 * @module
 * @see docs/emulator.md
 */
export { createEmulator } from './emulator.ts'
export type { Emulator, EmulatorResetOptions, Snapshot } from './emulator.ts'
export { DEVIATION_HEADER } from './api/api.ts'
export type { ApiRequest, EmulatorRequests } from './api/request-log.ts'
export type { ConsoleOutput, EmulatorConsole } from './console.ts'
export type { DatasetInput } from './dataset/parse-dataset.ts'
export type { EmulatorDevServer } from './dev-server.ts'
export type { EventHub } from './events.ts'
export type { EmulatorFaults, FaultOptions } from './faults/engine.ts'
export { FAULT_PRESETS } from './faults/presets.ts'
export { FAULT_HEADER } from './faults/request-fault.ts'
export type {
  FaultEffect,
  FaultPreset,
  FaultPresetView,
  FaultRule,
  FaultSettings,
  FaultSide,
} from './faults/rules.ts'
export type { AppCheckOptions, EmulatorAppInput, EmulatorApps } from './host/apps.ts'
export type { EmulatorExchanges, ExportOptions } from './host/exchanges.ts'
export type { EmulatorIssues } from './host/issues.ts'
export type { LiveExchange } from './host/live.ts'
export type { Listener } from './listener/listen.ts'
export type { EmulatorOptions, ListenOptions } from './options.ts'
export type { EmulatorPresets, PresetInput } from './presets.ts'
export type {
  AppInput,
  AppUpdate,
  AppView,
  DatasetName,
  DevServerView,
  HandshakeView,
  IssueSummary,
  IssueView,
  MessageView,
  WorkspaceEvent,
} from './protocol/workspace.ts'
export type { OpenedWidgets, OpenIssueOptions, StatesRun, WidgetView } from './protocol/widgets.ts'
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
  ReplayInput,
  SaveInput,
  SaveResult,
  ScenarioId,
  SourceLocation,
  TimingSpan,
  WidgetOutcome,
} from './protocol/exchanges.ts'
