import type { EmulatorConsole } from '../console.ts'
import type { EmulatorContext } from '../context.ts'
import { FAULT_PRESETS } from '../faults/presets.ts'
import type { EmulatorApps } from '../host/apps.ts'
import type { EmulatorExchanges } from '../host/exchanges.ts'
import type { IssueRegistry } from '../host/issues.ts'
import { SCENARIOS } from '../host/scenarios.ts'
import { VERSION } from '../listener/package-files.ts'
import { MAX_EXCHANGES } from '../protocol/exchanges.ts'
import type { ResetOptions, WorkspaceState } from '../protocol/workspace.ts'

/** The parts of an emulator that the control interface uses. */
export interface ControlledEmulator {
  readonly url: string
  readonly apps: EmulatorApps
  readonly issues: IssueRegistry
  readonly exchanges: EmulatorExchanges
  readonly console: EmulatorConsole
  reset(options: ResetOptions & { readonly keepApps: boolean }): void
}

/** Creates the state of the workspace. */
export function workspaceState(
  context: EmulatorContext,
  emulator: ControlledEmulator,
): WorkspaceState {
  const { strict, timeoutMs, accessToken, data, presets, project, log, faults, devServer } = context
  return {
    version: VERSION,
    organization: data.organization(),
    api: { baseUrl: emulator.url, accessToken },
    strict,
    dataset: data.current(),
    datasets: data.available,
    presets: presets.list(),
    timeoutMs,
    exchanges: { paused: log.paused, limit: MAX_EXCHANGES },
    project: project === undefined ? null : { directory: project.directory },
    devServer: devServer.current,
    issues: emulator.issues.list(),
    apps: emulator.apps.list(),
    scenarios: SCENARIOS.map(({ id, name, description }) => ({ id, name, description })),
    faults: faults.settings,
    faultPresets: FAULT_PRESETS,
  }
}
