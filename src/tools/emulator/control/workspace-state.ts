import type { EmulatorConsole } from '../core/console.ts'
import type { EmulatorContext } from '../core/context.ts'
import type { EmulatorApps } from '../apps/apps.ts'
import type { EmulatorExchanges } from '../apps/exchanges.ts'
import type { IssueRegistry } from '../apps/issues.ts'
import { SITE_URL, VERSION } from '../store/package-folder.ts'
import type { WorkspaceState } from '../protocol/workspace.ts'

/** The parts of an emulator that the control interface uses. */
export interface ControlledEmulator {
  readonly url: string
  readonly apps: EmulatorApps
  readonly issues: IssueRegistry
  readonly exchanges: EmulatorExchanges
  readonly console: EmulatorConsole
  reset(options: { readonly keepApps: boolean }): void
}

/** Creates the state of the workspace. */
export function workspaceState(
  context: EmulatorContext,
  emulator: ControlledEmulator,
): WorkspaceState {
  const {
    strict,
    timeoutMs,
    accessToken,
    data,
    project,
    folder,
    devServer,
    saves,
    projectProblem,
  } = context
  const { saveToProject, siteUrl = SITE_URL } = context
  return {
    version: VERSION,
    organization: data.organization(),
    api: { baseUrl: emulator.url, accessToken },
    strict,
    customers: project.customers(),
    states: project.states(),
    canSaveStates: saveToProject !== undefined,
    siteUrl: siteUrl ?? null,
    timeoutMs,
    project: folder === undefined ? null : { directory: folder.directory },
    devServer: devServer.current,
    saves: saves.list(),
    projectProblem: projectProblem.current,
    issues: emulator.issues.list(),
    apps: emulator.apps.list(),
  }
}
