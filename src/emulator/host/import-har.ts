import * as z from 'zod'
import { SidecardError } from '../../internal/errors.ts'
import { createEndpointClient } from '../../service/endpoint-client.ts'
import { formatIssue } from '../format-issue.ts'
import { assessData } from './assess-data.ts'
import { assessHandshake } from './assess-handshake.ts'
import { readIds } from './anonymize-exchange.ts'
import { type LoggedExchange, toLoggedExchange } from './exchange-log.ts'
import { replayLive } from './live.ts'

const header = z.object({ name: z.string(), value: z.string() })

const harSchema = z.object({
  log: z.object({
    entries: z
      .array(
        z.object({
          startedDateTime: z.string(),
          time: z.number(),
          request: z.object({ method: z.string(), url: z.string() }),
          response: z.object({
            status: z.number(),
            statusText: z.string().catch(''),
            headers: z.array(header).catch([]),
            content: z.object({
              text: z.string().optional(),
              encoding: z.string().optional(),
              mimeType: z.string().catch(''),
            }),
          }),
        }),
      )
      .max(1_000, 'a document may have at most 1000 entries'),
  }),
})

type Entry = z.infer<typeof harSchema>['log']['entries'][number]

/** The requests of a HAR document. */
export interface ImportedHar {
  readonly exchanges: readonly LoggedExchange[]
  /** The number of entries that are not requests of the service. */
  readonly skipped: number
}

/**
 * Imports the service's requests from a HAR 1.2 document. No requests are sent.
 * The responses are validated as if they had just arrived.
 *
 * @throws {SidecardError} `invalid_har`
 */
export async function importHar(
  value: unknown,
  newId: (prefix: string) => string,
): Promise<ImportedHar> {
  const parsed = harSchema.safeParse(value)
  if (!parsed.success) {
    const message = `This is not a HAR 1.2 document. ${formatIssue(parsed.error)}.`
    throw new SidecardError('invalid_har', message)
  }
  const { entries } = parsed.data.log
  const imported = await Promise.all(entries.map((entry) => importEntry(entry, newId)))
  const exchanges = imported.filter((logged) => logged !== undefined)
  return { exchanges, skipped: entries.length - exchanges.length }
}

async function importEntry(
  entry: Entry,
  newId: (prefix: string) => string,
): Promise<LoggedExchange | undefined> {
  const url = URL.parse(entry.request.url)
  const kind = url?.searchParams.get('request_type')
  const startedAt = Date.parse(entry.startedDateTime)
  if (url === null || !/^https?:$/.test(url.protocol) || Number.isNaN(startedAt)) return undefined
  if (entry.request.method !== 'GET' || (kind !== 'verify' && kind !== 'fetch_data')) {
    return undefined
  }
  // A password in the URL is removed.
  url.username = ''
  url.password = ''
  const { redact, ...client } = createEndpointClient({
    target: new URL(url.pathname, url.origin),
    fetch: () => toResponse(entry),
  })
  const context = {
    id: newId('exc'),
    source: 'imported',
    appId: null,
    appName: url.host,
    issueId: url.searchParams.get('issue_id'),
    widgetId: url.searchParams.get('widget_id'),
    scenario: null,
    presetId: null,
    hasCustomIds: false,
    group: null,
    replayOf: null,
  } as const
  const times = { startedAt, durationMs: Math.max(0, entry.time) }
  const request = { url: url.href, headerNames: [] }
  if (kind === 'verify') {
    const result = await client.handshake(url.searchParams.get('code') ?? '')
    const { reason, form: _, ...details } = assessHandshake(result, { redact, injected: null })
    const outcome = reason ?? 'connected'
    const exchange = { ...result.exchange, ...times, request }
    return toLoggedExchange(
      { ...context, ...details, kind, outcome, failures: [] },
      exchange,
      redact,
    )
  }
  const result = await client.fetchData(readIds([...url.searchParams]))
  const mapStack = (stack: string) => ({ stack, location: null })
  const {
    payload: _payload,
    value: _value,
    ...details
  } = assessData(result, {
    redact,
    mapStack,
    injected: null,
  })
  const exchange = { ...result.exchange, ...times, request }
  return toLoggedExchange({ ...context, ...details, kind, explanation: null }, exchange, redact)
}

function toResponse({ request, response }: Entry): Response {
  const { status, statusText, headers, content } = response
  const known = headers.filter(({ name }) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  const isValid = Number.isInteger(status) && status >= 200 && status <= 599
  const live = { appId: '', url: request.url, startedAt: 0, durationMs: 0 }
  if (!isValid) return replayLive(live)
  const text = content.text ?? ''
  const body =
    content.encoding === 'base64'
      ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      : new TextEncoder().encode(text)
  return replayLive({
    ...live,
    response: {
      status,
      statusText,
      headers: Object.fromEntries(known.map(({ name, value }) => [name.toLowerCase(), value])),
      body,
    },
  })
}
