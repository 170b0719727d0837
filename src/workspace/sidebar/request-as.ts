import { computed } from '@preact/signals'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import type { FetchDataParameter } from '../../contract/parameters.ts'
import type { CustomIds, PresetView, ScenarioId } from '../../emulator/protocol/exchanges.ts'
import { formatRoute, pushRoute, route } from '../core/route.ts'
import type { View } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'

/** The state of "Request as", which determines the IDs of the sidebar's requests. */
export interface RequestAs {
  readonly scenario: ScenarioId
  /** A preset of the emulator. */
  readonly presetId: string | null
  /** Custom IDs. A null ID is not sent. For an absent ID, the issue's own is used. */
  readonly params: CustomIds
}

/** The state with the issue's own IDs. */
export const NORMAL: RequestAs = { scenario: 'as-is', presetId: null, params: {} }

/** The state in the fragment. Unknown scenarios and presets are ignored. */
export const requestAs = computed<RequestAs>(() => parseRequestAs(route.value.query))

/** Whether the sidebar does not use the issue's own IDs. */
export const isCustomRequest = computed(() => {
  const { scenario, presetId, params } = requestAs.value
  return scenario !== 'as-is' || presetId !== null || Object.keys(params).length > 0
})

/** The chosen preset of the emulator. */
export const chosenPreset = computed<PresetView | undefined>(() =>
  workspace.value?.presets?.find(({ id }) => id === requestAs.value.presetId),
)

/** What the fragment names although this emulator does not have it; null if it has all. */
export const unknownRequest = computed<'scenario' | 'preset' | null>(() => {
  const { query } = route.value
  const { scenario, presetId } = requestAs.value
  if ((query.get('scenario') ?? 'as-is') !== scenario) return 'scenario'
  return query.get('preset') === presetId ? null : 'preset'
})

/** Returns a string that identifies the state. */
export function requestKey({ scenario, presetId, params }: RequestAs): string {
  return JSON.stringify([
    scenario,
    presetId,
    FETCH_DATA_PARAMETERS.map((name) => (params[name] === undefined ? 0 : params[name])),
  ])
}

/** Changes the state without changing the view. */
export function setRequestAs(next: RequestAs): void {
  const { view, id } = route.peek()
  pushRoute(formatRoute(view, id, toQuery(next)))
}

/**
 * Returns a fragment for a link that keeps the scenario and the IDs:
 * `routeHash('issues', 'iss_1')`.
 */
export function routeHash(view: View, id?: string | null): string {
  return formatRoute(view, id, toQuery(requestAs.value))
}

/**
 * Serializes the state as a query: `scenario`, `preset`, each custom ID under its
 * own name, and `omit`.
 */
export function toQuery({ scenario, presetId, params }: RequestAs): URLSearchParams {
  const query = new URLSearchParams()
  if (scenario !== 'as-is') query.set('scenario', scenario)
  if (presetId !== null) query.set('preset', presetId)
  const omitted: FetchDataParameter[] = []
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = params[name]
    if (value === null) omitted.push(name)
    else if (value !== undefined) query.set(name, value)
  }
  if (omitted.length > 0) query.set('omit', omitted.join('.'))
  return query
}

/** Parses the state in a query. */
export function parseRequestAs(query: URLSearchParams): RequestAs {
  const params: { -readonly [Name in keyof CustomIds]: CustomIds[Name] } = {}
  const omitted = query.get('omit')?.split('.') ?? []
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = query.get(name)
    if (omitted.includes(name)) params[name] = null
    else if (value !== null) params[name] = value
  }
  const state = workspace.value
  const scenario = query.get('scenario') ?? 'as-is'
  const presetId = query.get('preset')
  const isKnown = state?.scenarios.some(({ id }) => id === scenario) !== false
  const hasPreset = state?.presets?.some(({ id }) => id === presetId) !== false
  return {
    scenario: isKnown ? (scenario as ScenarioId) : 'as-is',
    presetId: hasPreset ? presetId : null,
    params,
  }
}
