import { FAULT_PRESETS } from './faults/presets.ts'
import { SCENARIOS } from './host/scenarios.ts'
import type { AppView, FaultSettings, IssueSummary, SeedName, WorkspaceState } from './protocol.ts'
import { ORGANIZATION } from './seed/seeds.ts'
import { VERSION } from './listener/version.ts'

/** What changes from run to run and from moment to moment. */
export interface Moment {
  readonly url: string
  readonly accessToken: string
  readonly strict: boolean
  readonly seed: SeedName
  readonly issues: readonly IssueSummary[]
  readonly apps: readonly AppView[]
  readonly faults: FaultSettings
}

/** Everything that the workspace shows around an issue. */
export function workspaceState({ url, accessToken, ...moment }: Moment): WorkspaceState {
  return {
    ...moment,
    version: VERSION,
    organization: ORGANIZATION,
    api: { baseUrl: url, accessToken },
    scenarios: SCENARIOS.map(({ id, name, description }) => ({ id, name, description })),
    faultPresets: FAULT_PRESETS,
  }
}
