import { noAuth, sidecard, type SidecardOptions, text } from 'sidecard'

/** A customer of the tests of identify(). */
export interface Account {
  readonly id: string
  readonly name: string
}

export const acme: Account = { id: 'a1', name: 'Acme' }
export const beta: Account = { id: 'b2', name: 'Beta' }

/** Sends a data fetch with IDs, and returns all observable results. */
export async function fetchFrom(
  fetchData: SidecardOptions['fetchData'],
  ids: Readonly<Record<string, string>> = {},
  options: Partial<Omit<SidecardOptions, 'actions'>> = {},
) {
  const errors: unknown[] = []
  const lines: Array<Readonly<Record<string, unknown>>> = []
  const log = (fields: Readonly<Record<string, unknown>>) => void lines.push(fields)
  const app = sidecard({
    header: { title: 'Test' },
    auth: noAuth(),
    logger: { debug: log, info: log, warn: log, error: log },
    fetchData,
    onError(error) {
      errors.push(error)
    },
    ...options,
  })
  const query = new URLSearchParams({ request_type: 'fetch_data', ...ids })
  const response = await app.request(`/?${query}`)
  const body = await response.text()
  return {
    body,
    components: (JSON.parse(body) as { components: any[] }).components,
    outcome: response.headers.get('x-sidecard-outcome'),
    failure: response.headers.get('x-sidecard-failure'),
    errors,
    lines,
  }
}

/** Returns components that show the match and the ID that found it. */
export function show({
  value,
  via,
  unmatched,
}: {
  value: Account
  via: string
  unmatched: readonly string[]
}) {
  return [text({ label: via, value: `${value.name} ${unmatched.join(',')}`.trim() })]
}

/** Returns the components of `show()`. */
export const found = (name: string, via: string) => [{ type: 'text', label: via, value: name }]
