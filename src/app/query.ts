import { FETCH_DATA_PARAMETERS, type FetchDataParams } from '../contract/parameters.ts'

/** The contract's parameters as found in a query string, each looked up by its exact name. */
export interface Query {
  readonly requestType: string | undefined
  readonly code: string | undefined
  readonly params: FetchDataParams
  /** Names of the contract's parameters that were given more than once. */
  readonly duplicates: readonly string[]
}

/** In the order in which the service sends them. */
const NAMES = ['request_type', ...FETCH_DATA_PARAMETERS, 'code'] as const
const PREFIXES = NAMES.map((name) => `${name}=`)
/** A Map, so that `__proto__` is a name like any other. */
const SLOTS = new Map<string, number>(NAMES.map((name, index) => [name, index]))
const NO_DUPLICATES: readonly string[] = []

/**
 * Reads the contract's parameters in one scan of the URL. Decodes exactly as
 * `URLSearchParams` does (a property test holds it to that), which costs three
 * times as much for the eight parameters of a data fetch.
 */
export function readQuery(url: string): Query {
  // One slot for each name, written out: without holes it is faster.
  const values: (string | undefined)[] = [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]
  let duplicates: string[] | undefined
  const hash = url.indexOf('#')
  const end = hash === -1 ? url.length : hash
  const question = url.indexOf('?')
  let start = question === -1 || question > end ? end : question + 1
  let encoded = nextEncoded(url, start)
  let expected = 0
  while (start < end) {
    let next = url.indexOf('&', start)
    if (next === -1 || next > end) next = end
    // After the last of them: what no parameter starts with.
    const prefix = PREFIXES[expected] ?? '#'
    let slot: number | undefined = expected
    let equals = start + prefix.length - 1
    if (!url.startsWith(prefix, start)) {
      equals = url.indexOf('=', start)
      if (equals === -1 || equals > next) equals = next
      const name = url.slice(start, equals)
      slot = SLOTS.get(encoded < equals ? decode(name) : name)
    }
    if (slot !== undefined) {
      const raw = url.slice(equals + 1, next)
      if (values[slot] !== undefined) (duplicates ??= []).push(NAMES[slot]!)
      else values[slot] = encoded < next ? decode(raw) : raw
      expected = slot + 1
    }
    start = next + 1
    if (encoded < start) encoded = nextEncoded(url, start)
  }
  return {
    requestType: values[0],
    code: values[8],
    params: {
      app_id: values[1] || undefined,
      widget_id: values[2] || undefined,
      issue_id: values[3] || undefined,
      organization_id: values[4] || undefined,
      account_id: values[5] || undefined,
      requester_id: values[6] || undefined,
      requester_email: values[7] || undefined,
    },
    duplicates: duplicates ?? NO_DUPLICATES,
  }
}

const NEEDS_DECODING = /[%+\uD800-\uDFFF]/g

/** Where the next character stands that is not to be taken as it is; past the end when none does. */
function nextEncoded(url: string, from: number): number {
  NEEDS_DECODING.lastIndex = from
  return NEEDS_DECODING.test(url) ? NEEDS_DECODING.lastIndex - 1 : url.length
}

/** As `URLSearchParams` does it; what it has to repair is left to itself. */
function decode(raw: string): string {
  try {
    if (raw.isWellFormed()) {
      return decodeURIComponent(raw.includes('+') ? raw.replaceAll('+', ' ') : raw)
    }
  } catch {
    // Escapes that are no UTF-8.
  }
  return new URLSearchParams(`=${raw}`).get('') ?? ''
}
