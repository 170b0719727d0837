import { containsText, createTextFinder } from '../../internal/shown-text.ts'
import { findPlace } from './leaks.ts'
import { ID_KINDS } from '../customers.ts'
import { readPayload, readResponse } from '../../service/responses/reading.ts'
import type { Settings } from '../options.ts'
import type { DataProbe, Probe } from '../probe.ts'

/** The known facts about a passed customer. */
export interface Truth {
  /** The name of the customer in reports. */
  readonly name: string
  readonly ids: Settings['customers'][number]['ids']
  readonly shows: readonly string[]
  /** Returns whether a text contains one of the texts, in any encoding. */
  readonly isShownIn: (text: string) => boolean
}

/** Returns the customers that were passed with texts. */
export function createTruths({ customers }: Settings): readonly Truth[] {
  return customers.flatMap(({ ids, shows }, index) => {
    if (shows.length === 0) return []
    const finders = shows.map(createTextFinder)
    const isShownIn = (text: string) => finders.some((find) => find(text))
    return [{ name: `customer ${index + 1}`, ids, shows, isShownIn }]
  })
}

/** Finds a text of a customer in a response to a request for another one. */
export function findDisclosure(probes: readonly Probe[], truths: readonly Truth[]) {
  for (const probe of probes) {
    const sent = new URL(probe.exchange.request.url).searchParams
    for (const truth of truths) {
      // An endpoint may repeat an ID that resembles that of the customer.
      const isRepeated = isSimilar(probe) && [...sent.values()].some(truth.isShownIn)
      const isOwn = 'customer' in probe && (probe as DataProbe).customer.name === truth.name
      if (isRepeated || isOwn || isRequested(truth, sent)) continue
      const { exchange } = probe
      const path =
        findPlace(exchange, truth.isShownIn) ??
        (truth.isShownIn(joinValues(exchange)) ? 'body' : undefined)
      if (path !== undefined) return { probe, truth, path }
    }
  }
  return undefined
}

/** The roles of requests with IDs that resemble those of a passed customer. */
export const SIMILAR_ROLES = ['similar', 'otherCase', 'sameDomain'] as const

export type SimilarRole = (typeof SIMILAR_ROLES)[number]

export function isSimilar({ role }: Probe): boolean {
  return SIMILAR_ROLES.some((each) => each === role)
}

/** Joins the values of a payload, because a text may be divided between components. */
function joinValues({ response }: Probe['exchange']): string {
  const texts = response === undefined ? [] : readResponse(response)
  return texts
    .flatMap(({ text, field, isName }) => (field === 'value' && !isName ? [text] : []))
    .join(' ')
}

/** Returns whether a request contains an ID of the customer, and no ID of another one. */
function isRequested({ ids }: Truth, sent: URLSearchParams): boolean {
  const known = ID_KINDS.flatMap(([name]) => {
    const id = ids[name]
    const value = sent.get(name)
    return id === undefined || value === null ? [] : [id === value]
  })
  return known.length > 0 && known.every(Boolean)
}

/**
 * Returns whether the texts prove something. A text that is part of an ID does
 * not, because an endpoint may repeat the requested ID.
 */
export function provesData({ ids, shows }: Truth): boolean {
  const requested = ID_KINDS.flatMap(([name]) => ids[name] ?? [])
  return shows.some((text) => !requested.some((id) => containsText(id, text)))
}

/** Returns the data fetches that should show the texts of a customer but do not. */
export function findMissing({ name, shows }: Truth, probes: readonly DataProbe[]) {
  const own = probes.filter(
    (probe) => probe.customer.name === name && probe.payload && !probe.isPassedId,
  )
  const missing = own.filter(({ payload }) => {
    const shown = readPayload(payload).texts.filter(({ path }) => !path.endsWith('url'))
    return !shows.every((text) => shown.some((each) => containsText(each.text, text)))
  })
  return { missing, total: own.length }
}
