import { computed, signal } from '@preact/signals'
import { MAX_EXCHANGES } from '../../emulator/protocol/exchanges.ts'
import type { ExchangeSummary, ExchangeView } from '../../emulator/protocol/exchanges.ts'
import { act } from '../core/act.ts'
import { control, errorMessage } from '../core/control.ts'
import { downloadJson } from '../core/download.ts'
import { plural } from '../core/format.ts'
import { matches } from '../core/matches.ts'
import { notify } from '../core/notify.ts'
import { describeOutcome } from '../core/outcome.ts'
import { routeHash } from '../sidebar/request-as.ts'
import { replaceRoute, route } from '../core/route.ts'
import { scenarioName } from '../core/workspace.ts'

/** The requests to the apps, newest first; null until they are loaded. */
export const exchanges = signal<readonly ExchangeSummary[] | null>(null)

interface ChoiceFilter {
  readonly label: string
  readonly valueOf: (exchange: ExchangeSummary) => string | null
  readonly format: (value: string) => string
}

/** The filters with a list of choices. */
export const FILTERS = {
  app: { label: 'App', valueOf: ({ appName }) => appName, format: String },
  outcome: {
    label: 'Outcome',
    valueOf: ({ outcome }) => outcome,
    format: (value) => describeOutcome(value as ExchangeSummary['outcome']).text,
  },
  scenario: { label: 'Scenario', valueOf: ({ scenario }) => scenario, format: scenarioName },
  issue: { label: 'Issue', valueOf: ({ issueId }) => issueId, format: String },
} satisfies Readonly<Record<string, ChoiceFilter>>

/** The name of a filter with a list of choices. */
export type FilterName = keyof typeof FILTERS

/** The names of the filters with a list of choices. */
export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** A filter that matches all requests. */
export const NO_FILTER: Readonly<Record<FilterName | 'text', string>> = {
  app: '',
  outcome: '',
  scenario: '',
  issue: '',
  text: '',
}

/** The current filter of the inspector. An empty value matches all. */
export const exchangeFilter = signal(NO_FILTER)

/** The requests that match the filter. */
export const shownExchanges = computed<readonly ExchangeSummary[]>(() => {
  const { text, ...chosen } = exchangeFilter.value
  return (exchanges.value ?? []).filter((exchange) => {
    const { status, scenario, injected, parameters } = exchange
    return (
      FILTER_NAMES.every(
        (name) => chosen[name] === '' || FILTERS[name].valueOf(exchange) === chosen[name],
      ) &&
      matches(text, [
        // The names of the parameters are in every request.
        { ...exchange, parameters: parameters.map(([, value]) => value) },
        String(status),
        scenario === null ? '' : scenarioName(scenario),
        injected === null ? '' : 'injected',
      ])
    )
  })
})

/** Loads the log. Events keep it in step from then on. */
export async function loadExchanges(): Promise<void> {
  const before = new Set(exchanges.peek()?.map(({ id }) => id))
  try {
    const loaded = await control('GET exchanges')
    const known = new Set([...before, ...loaded.map(({ id }) => id)])
    // Requests that ended while the list was on its way are not in it.
    const newer = (exchanges.peek() ?? []).filter(({ id }) => !known.has(id))
    exchanges.value = [...newer, ...loaded].slice(0, MAX_EXCHANGES)
  } catch {
    // The page says that the connection is lost, and loads the list when it is back.
  }
}

/** Adds a completed request. */
export function addExchange(exchange: ExchangeSummary): void {
  const others = (exchanges.peek() ?? []).filter(({ id }) => id !== exchange.id)
  exchanges.value = [exchange, ...others].slice(0, MAX_EXCHANGES)
}

/** Loads all details of a request. */
export function loadExchange(exchangeId: string): Promise<ExchangeView> {
  return control('GET exchanges/:exchangeId', { exchangeId })
}

/** Clears the log. */
export async function clearExchanges(): Promise<void> {
  await act(async () => {
    await control('DELETE exchanges')
    forgetExchanges()
    notify('Requests cleared')
  })
}

/** Empties the list after the log was cleared, and closes the open request, which is gone. */
export function forgetExchanges(): void {
  exchanges.value = []
  const { view, id } = route.peek()
  if (view === 'inspector' && id !== null) replaceRoute(routeHash('inspector'))
}

/** Pauses or resumes the log. */
export async function pauseExchanges(paused: boolean): Promise<void> {
  await act(async () => {
    await control('PUT exchanges/paused', { paused })
    notify(paused ? 'Recording paused' : 'Recording resumed')
  })
}

/** Exports requests as a HAR file. Without IDs, it exports all requests. */
export async function exportHar(ids?: readonly string[]): Promise<void> {
  await act(async () => {
    const har = await control('POST exchanges/export', ids === undefined ? {} : { ids })
    downloadJson('sidecard.har', JSON.stringify(har))
  })
}

/** Imports the requests of a HAR file. */
export async function importHar(file: File): Promise<void> {
  try {
    const document: unknown = JSON.parse(await file.text())
    const { imported, skipped } = await control('POST exchanges/import', document)
    notify(describeImport(imported.length, skipped), imported.length === 0 ? 'bad' : 'plain')
    await loadExchanges()
  } catch (error) {
    notify(error instanceof SyntaxError ? 'This file is not JSON' : errorMessage(error), 'bad')
  }
}

function describeImport(imported: number, skipped: number): string {
  if (imported === 0) return 'This file contains no requests from the service'
  return `Imported ${plural(imported, 'request')}, skipped ${skipped}`
}
