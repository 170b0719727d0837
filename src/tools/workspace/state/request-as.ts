import { computed } from '@preact/signals'
import {
  FETCH_DATA_PARAMETERS,
  type FetchDataParameter,
} from '../../../runtime/contract/parameters.ts'
import type { CustomIds } from '../../emulator/protocol/exchanges.ts'
import type { OpenIssueOptions } from '../../emulator/protocol/widgets.ts'
import { formatRoute, pushRoute, route, type View } from '../core/route.ts'
import { workspace } from '../core/workspace.ts'

/** Conditions of sections by title. */
export type Sections = NonNullable<OpenIssueOptions['sections']>

/** The customer, the IDs and the conditions for which the sidebar is requested. */
export interface RequestAs {
  /** The customer or the state of the project; null for the customer of the issue. */
  readonly subject: { readonly kind: 'customer' | 'state'; readonly name: string } | null
  /** IDs for this request. A null ID is not sent. For an absent ID, the customer's own is used. */
  readonly params: CustomIds
  /** Conditions for this request, instead of those of the state. */
  readonly sections: Sections
}

/** The default: the issue's own customer, without conditions. */
export const NORMAL: RequestAs = { subject: null, params: {}, sections: {} }

/** The value in the fragment. An unknown customer or state is ignored. */
export const requestAs = computed<RequestAs>(() => {
  const request = parseRequestAs(route.value.query)
  return isKnown(request.subject) ? request : { ...request, subject: null }
})

/** Whether IDs or conditions were chosen for one request only. */
export const isCustomRequest = computed(() => {
  const { params, sections } = requestAs.value
  return Object.keys(params).length > 0 || Object.keys(sections).length > 0
})

/** The customer or state in the fragment that is not in the project; null if there is none. */
export const unknownRequest = computed<RequestAs['subject']>(() => {
  const { subject } = parseRequestAs(route.value.query)
  return isKnown(subject) ? null : subject
})

function isKnown(subject: RequestAs['subject']): boolean {
  const { customers = [], states = [] } = workspace.value ?? {}
  if (subject === null || workspace.value === null) return true
  const entries = subject.kind === 'customer' ? customers : states
  return entries.some(({ name }) => name === subject.name)
}

/** Returns a string that identifies the value. */
export function requestKey(request: RequestAs): string {
  return toQuery(request).toString()
}

/** Converts the value to options of the emulator. */
export function toOptions({ subject, params, sections }: RequestAs): OpenIssueOptions {
  return {
    ...(subject !== null && { [subject.kind]: subject.name }),
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(sections).length > 0 && { sections }),
  }
}

/** Changes the value without changing the view. */
export function setRequestAs(next: RequestAs): void {
  const { view, id } = route.peek()
  pushRoute(formatRoute(view, id, toQuery(next)))
}

/**
 * Returns a fragment for a link that keeps the customer, the state and the IDs:
 * `routeHash('issues', 'iss_1')`.
 */
export function routeHash(view: View, id?: string | null): string {
  return formatRoute(view, id, toQuery(requestAs.value))
}

/**
 * Serializes the value as a query: `customer` or `state`, each ID under its own
 * name, `omit`, and `sections` as JSON.
 */
export function toQuery({ subject, params, sections }: RequestAs): URLSearchParams {
  const query = new URLSearchParams()
  if (subject !== null) query.set(subject.kind, subject.name)
  const omitted: FetchDataParameter[] = []
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = params[name]
    if (value === null) omitted.push(name)
    else if (value !== undefined) query.set(name, value)
  }
  if (omitted.length > 0) query.set('omit', omitted.join('.'))
  if (Object.keys(sections).length > 0) query.set('sections', JSON.stringify(sections))
  return query
}

/** Parses the value in a query. */
export function parseRequestAs(query: URLSearchParams): RequestAs {
  const params: { -readonly [Name in keyof CustomIds]: CustomIds[Name] } = {}
  const omitted = query.get('omit')?.split('.') ?? []
  for (const name of FETCH_DATA_PARAMETERS) {
    const value = query.get(name)
    if (omitted.includes(name)) params[name] = null
    else if (value !== null) params[name] = value
  }
  const kind = query.has('state') ? 'state' : 'customer'
  const name = query.get(kind)
  const subject = name === null ? null : ({ kind, name } as const)
  return { subject, params, sections: parseSections(query.get('sections')) }
}

const CONDITIONS: readonly unknown[] = ['failed', 'timeout', 'empty']

function parseSections(text: string | null): Sections {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    const isValid = Object.values(value).every((each) => CONDITIONS.includes(each))
    return isValid ? (value as Sections) : {}
  } catch {
    return {}
  }
}
