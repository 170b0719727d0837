import { FAULT_PRESETS } from './faults/presets.ts'
import { SCENARIOS } from './host/scenarios.ts'
import type { WorkspaceState } from './protocol/workspace.ts'
import { MAX_EXCHANGES } from './protocol/exchanges.ts'
import { VERSION } from './listener/version.ts'

/** The inputs of the state that change. */
export interface WorkspaceInputs extends Omit<
  WorkspaceState,
  'version' | 'api' | 'scenarios' | 'faultPresets' | 'exchanges'
> {
  readonly url: string
  readonly accessToken: string
  readonly isLogPaused: boolean
}

/** Creates the state of the workspace. */
export function workspaceState({
  url,
  accessToken,
  isLogPaused,
  ...inputs
}: WorkspaceInputs): WorkspaceState {
  return {
    ...inputs,
    version: VERSION,
    api: { baseUrl: url, accessToken },
    exchanges: { paused: isLogPaused, limit: MAX_EXCHANGES },
    scenarios: SCENARIOS.map(({ id, name, description }) => ({ id, name, description })),
    faultPresets: FAULT_PRESETS,
  }
}
