import { computed } from '@preact/signals'
import { workspace } from '../core/workspace.ts'
import { browserPresets } from './presets.ts'
import { NORMAL, requestAs, requestKey } from './request-as.ts'
import type { RequestAs } from './request-as.ts'

/** Something to request as: a scenario, or the IDs of a preset. */
export interface RequestChoice {
  readonly key: string
  readonly name: string
  readonly group: 'Scenarios' | 'Presets from this emulator' | 'Presets in this browser'
  readonly request: RequestAs
}

/** The choices of "Request as", in the order of the menu. */
export const requestChoices = computed<readonly RequestChoice[]>(() => {
  const { scenarios = [], presets = [] } = workspace.value ?? {}
  const choose = (group: RequestChoice['group'], name: string, change: Partial<RequestAs>) => {
    const request = { ...NORMAL, ...change }
    return { key: requestKey(request), name, group, request }
  }
  return [
    ...scenarios.map(({ id, name }) => choose('Scenarios', name, { scenario: id })),
    ...presets.map(({ id, name }) => choose('Presets from this emulator', name, { presetId: id })),
    ...browserPresets.value.map(({ name, params }) =>
      choose('Presets in this browser', name, { params }),
    ),
  ]
})

/** The current choice; undefined for custom IDs. */
export const currentChoice = computed(() =>
  requestChoices.value.find(({ key }) => key === requestKey(requestAs.value)),
)
