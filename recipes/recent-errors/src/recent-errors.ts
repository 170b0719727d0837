import { type CardItem, dateTime, link, section, text } from 'sidecard'
import { sectionCache } from 'sidecard/cache'
import * as z from 'zod/mini'
import { store } from './recent-errors-store.ts'

/** A group of equal errors of one user. */
export interface RecentError {
  readonly title: string
  readonly count: number
  readonly lastSeen: Date | string
  /** Links the error to its page. */
  readonly url?: string | undefined
}

/** The user whose errors are shown. At least one of them is set. */
export interface ErrorUser {
  readonly id?: string | undefined
  readonly email?: string | undefined
}

/**
 * Fetches a user's most recent errors, newest first. `createSentrySource()`
 * creates one for an error tracker. For your own table, write a function of this
 * type.
 */
export type ErrorSource = (user: ErrorUser, signal: AbortSignal) => Promise<readonly RecentError[]>

export interface SentrySourceOptions {
  /** The URL of the server, such as `https://sentry.io`. */
  readonly baseUrl: string
  readonly organization: string
  /** A token with only the permission to read issues. */
  readonly token: string
  /** The period of the errors, such as `14d`. @default '14d' */
  readonly period?: string
  /** Sends the requests. Tests replace it. */
  readonly fetch?: typeof globalThis.fetch
}

const issuesSchema = z.array(
  z.object({
    title: z.string(),
    // Sentry returns a string, and some compatible servers return a number.
    count: z.coerce.number(),
    lastSeen: z.iso.datetime({ offset: true }),
    permalink: z.optional(z.nullable(z.url())),
  }),
)

/** The variables of the error tracker. */
export interface SentryEnv {
  readonly ERRORS_API_URL?: string | undefined
  readonly ERRORS_ORGANIZATION?: string | undefined
  readonly ERRORS_API_TOKEN?: string | undefined
}

/** Returns the source of an environment, or `undefined` if its variables are not set. */
export function sentrySource(env: SentryEnv): ErrorSource | undefined {
  const {
    ERRORS_API_URL: baseUrl,
    ERRORS_ORGANIZATION: organization,
    ERRORS_API_TOKEN: token,
  } = env
  if (!baseUrl || !organization || !token) return undefined
  return createSentrySource({ baseUrl, organization, token })
}

/** Creates a source of errors from Sentry, or from a server with a compatible API. */
export function createSentrySource({
  baseUrl,
  organization,
  token,
  period = '14d',
  fetch = globalThis.fetch,
}: SentrySourceOptions): ErrorSource {
  return async (user, signal) => {
    const path = `api/0/organizations/${encodeURIComponent(organization)}/issues/`
    const url = new URL(path, `${baseUrl.replace(/\/+$/, '')}/`)
    url.search = new URLSearchParams({
      query: searchQuery(user),
      statsPeriod: period,
      sort: 'date',
      limit: '5',
    }).toString()
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(url.href, { headers, signal })
    if (!response.ok) throw new Error(`The error tracker returned ${response.status}`)
    const issues = issuesSchema.parse(await response.json())
    return issues.map(({ permalink, ...issue }) => ({ ...issue, url: permalink ?? undefined }))
  }
}

/** The ID takes precedence, because an email may belong to several users. */
function searchQuery({ id, email }: ErrorUser): string {
  const [field, value = ''] = id === undefined ? ['user.email', email] : ['user.id', id]
  // In Sentry's search, an asterisk is a wildcard, even within quotes.
  const escaped = value.replaceAll(/["\\*]/g, String.raw`\$&`)
  return `${field}:"${escaped}"`
}

const cache = sectionCache({
  name: 'recent-errors',
  store,
  ttlSeconds: 30,
  // While the error tracker is down, agents see stale content with its time.
  staleSeconds: 3_600,
})

/**
 * Returns the section of a user's recent errors, or `undefined` if the issue has
 * neither a requester ID nor an email.
 */
export function recentErrorsSection(user: ErrorUser, source: ErrorSource | undefined) {
  if (user.id === undefined && user.email === undefined) return undefined
  return section('Recent errors', (signal) => content(user, source, signal), {
    timeoutMs: 1_500,
    cache,
    key: user.id === undefined ? ['email', user.email] : ['id', user.id],
  })
}

async function content(user: ErrorUser, source: ErrorSource | undefined, signal: AbortSignal) {
  if (source === undefined) return text({ label: 'Errors', value: 'Not configured' })
  const errors = await source(user, signal)
  if (errors.length === 0) return text({ label: 'Errors', value: 'None' })
  return errors.flatMap(({ title, count, lastSeen, url }, index): CardItem[] => {
    const number = index + 1
    const summary = count === 1 ? title : `${title} (${count} times)`
    return [
      url === undefined
        ? text({ label: `Error ${number}`, value: summary })
        : link({ label: summary, url }),
      dateTime({ label: `Last seen ${number}`, value: lastSeen }),
    ]
  })
}
