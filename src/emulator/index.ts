/**
 * The service on your own machine, for tests and for `sidecard dev`.
 *
 * @module
 * @see docs/emulator.md
 */
export { createEmulator } from './emulator.ts'
export type { Emulator, Snapshot } from './emulator.ts'
export type { EventHub } from './events.ts'
export type { FaultEffect, FaultPreset, FaultRule, FaultSide } from './faults/rules.ts'
export { FAULT_PRESETS } from './faults/presets.ts'
export { FAULT_HEADER } from './faults/request-fault.ts'
export type { EmulatorAppInput, EmulatorApps } from './host/apps.ts'
export type { EmulatorIssues } from './host/issues.ts'
export type { ScenarioId } from './host/scenarios.ts'
export type { Listening } from './listener/listen.ts'
export type { EmulatorOptions, ListenOptions } from './options.ts'
export type {
  AppChange,
  AppInput,
  AppView,
  ExchangeSummary,
  ExchangeView,
  FaultPresetView,
  FaultSettings,
  HandshakeView,
  IssueSummary,
  IssueView,
  MessageView,
  OpenBody,
  OpenedWidgets,
  SeedName,
  WidgetOutcome,
  WidgetView,
  WorkspaceEvent,
} from './protocol.ts'
export { DEVIATION_HEADER } from './service/api.ts'
export type { ApiRequest } from './service/request-log.ts'
