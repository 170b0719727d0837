import { joinNames } from '../contract/explain.ts'
import type { FetchDataParameter } from '../contract/parameters.ts'

/**
 * The texts that agents see, to replace or translate. Functions return the
 * whole sentence, so that each language can order its words.
 */
export interface Messages {
  /** The label of a failure card. @default 'Not available' */
  readonly unavailable: string
  /** @default 'This could not be loaded. Try again in a moment.' */
  readonly failed: string
  /**
   * The text for data that cannot be shown, where trying again does not help.
   * @default 'This data cannot be shown. Report the trace ID.'
   */
  readonly invalid: string
  /** @default 'This took too long to load. Try again in a moment.' */
  readonly timedOut: string
  /** The label of the trace ID. @default 'Trace ID' */
  readonly traceId: string
  /** The label of the time of stale content. @default 'As of' */
  readonly asOf: string
  /** The title of a card for an ID that is missing. @default 'Not available for this issue' */
  readonly notAvailable: string
  /** The label of an explanation. @default 'Reason' */
  readonly reason: string
  /** Explains which ID is missing; `name` is one of `ids`. */
  readonly missingId: (name: string) => string
  /** The title of the card if `identify()` finds no customer. @default 'Customer not found' */
  readonly notFound: string
  /** Explains which IDs matched nothing; `names` are from `ids`. */
  readonly notFoundReason: (names: readonly string[]) => string
  /** Explains that the issue has none of the IDs to search by; `names` are from `ids`. */
  readonly nothingToSearchBy: (names: readonly string[]) => string
  /** The title of the card if `identify()` finds several customers. @default 'Several customers match' */
  readonly ambiguous: string
  /** Explains how many match, and by what; `name` is one of `ids`. */
  readonly ambiguousReason: (count: number, name: string) => string
  /** The label of a candidate. @default 'Candidate' */
  readonly candidate: string
  /** Says how many candidates are not listed. */
  readonly moreCandidates: (count: number) => string
  /** The IDs of a request in words. @default 'account ID', 'requester email address', … */
  readonly ids: Readonly<Record<FetchDataParameter | 'email_domain', string>>
}

/** The English texts. */
export const DEFAULT_MESSAGES: Messages = {
  unavailable: 'Not available',
  failed: 'This could not be loaded. Try again in a moment.',
  invalid: 'This data cannot be shown. Report the trace ID.',
  timedOut: 'This took too long to load. Try again in a moment.',
  traceId: 'Trace ID',
  asOf: 'As of',
  notAvailable: 'Not available for this issue',
  reason: 'Reason',
  missingId: (name) => `This issue has no ${name}, so there is nothing to show here.`,
  notFound: 'Customer not found',
  notFoundReason: (names) => `No customer matches the ${joinNames(names)} of this issue.`,
  nothingToSearchBy: (names) => `This issue has no ${joinNames(names)} to search by.`,
  ambiguous: 'Several customers match',
  ambiguousReason: (count, name) => `${count} customers match the ${name} of this issue.`,
  candidate: 'Candidate',
  moreCandidates: (count) => `and ${count} more`,
  ids: {
    app_id: 'app ID',
    widget_id: 'widget ID',
    issue_id: 'issue ID',
    organization_id: 'organization ID',
    account_id: 'account ID',
    requester_id: 'requester ID',
    requester_email: 'requester email address',
    email_domain: 'email domain',
  },
}

/** Creates a value with the texts of an app, or with the English ones if one is not a string. */
export function withMessages<T>(messages: Messages, create: (messages: Messages) => T): T {
  try {
    return create(messages)
  } catch {
    return create(DEFAULT_MESSAGES)
  }
}
