import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
  type FetchDataParams,
} from '../../contract/parameters.ts'

/** The contract's parameters in a query. */
export interface Query {
  readonly requestType: string | undefined
  readonly code: string | undefined
  readonly params: FetchDataParams
  /** The contract's parameters that occur more than once. */
  readonly duplicates: readonly string[]
}

const NAMES: ReadonlySet<string> = new Set(['request_type', 'code', ...FETCH_DATA_PARAMETERS])

/**
 * Parses the contract's parameters of a URL. Names must match exactly, and the
 * first value counts.
 */
export function parseQuery(url: string): Query {
  const values = new Map<string, string>()
  const duplicates: string[] = []
  // `URLSearchParams` removes a leading question mark, which may be part of the first name.
  for (const [name, value] of new URLSearchParams(`?${readQuery(url)}`)) {
    if (!NAMES.has(name)) continue
    if (!values.has(name)) values.set(name, value)
    else if (!duplicates.includes(name)) duplicates.push(name)
  }
  const params = {} as { [Name in FetchDataParameter]: string | undefined }
  for (const name of FETCH_DATA_PARAMETERS) params[name] = values.get(name) || undefined
  return { requestType: values.get('request_type'), code: values.get('code'), params, duplicates }
}

/** Returns the query of a URL, without the question mark. */
function readQuery(url: string): string {
  const end = url.indexOf('#')
  const whole = end === -1 ? url : url.slice(0, end)
  const question = whole.indexOf('?')
  return question === -1 ? '' : whole.slice(question + 1)
}
