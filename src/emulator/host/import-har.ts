import * as z from 'zod'
import { SidecardError } from '../../internal/errors.ts'
import { formatIssue } from '../format-issue.ts'
import type { ExchangeSummary, ImportResult } from '../protocol/exchanges.ts'
import type { AppCalls, LoggedCall } from './app-calls.ts'

const header = z.object({ name: z.string(), value: z.string() })

const entrySchema = z.object({
  startedDateTime: z.string(),
  time: z.number(),
  request: z.object({ method: z.string(), url: z.string() }),
  response: z.object({
    status: z.number(),
    statusText: z.string().catch(''),
    headers: z.array(header).catch([]),
    content: z.object({ text: z.string().optional(), encoding: z.string().optional() }),
  }),
})

const entriesSchema = z.array(entrySchema).max(1_000, 'a document may have at most 1000 entries')

const harSchema = z.object({ log: z.object({ entries: entriesSchema }) })

type Entry = z.infer<typeof entrySchema>

/**
 * Imports the service's requests from a HAR 1.2 document. No requests are sent.
 * The responses are validated as if they had just arrived.
 *
 * @throws {SidecardError} `invalid_har`
 */
export async function importHar(value: unknown, calls: AppCalls): Promise<ImportResult> {
  const parsed = harSchema.safeParse(value)
  if (!parsed.success) {
    const message = `This is not a HAR 1.2 document. ${formatIssue(parsed.error)}.`
    throw new SidecardError('invalid_har', message)
  }
  const { entries } = parsed.data.log
  const imported: ExchangeSummary[] = []
  for (const entry of entries) {
    // oxlint-disable-next-line no-await-in-loop -- the log keeps the order of the document
    const recorded = await importEntry(entry, calls)
    if (recorded !== null) imported.push(recorded.summary)
  }
  return { imported, skipped: entries.length - imported.length }
}

async function importEntry(entry: Entry, calls: AppCalls): Promise<LoggedCall | null> {
  const url = URL.parse(entry.request.url)
  const startedAt = Date.parse(entry.startedDateTime)
  if (url === null || !/^https?:$/.test(url.protocol) || Number.isNaN(startedAt)) return null
  if (entry.request.method !== 'GET') return null
  // A password in the URL is removed.
  url.username = ''
  url.password = ''
  const app = { id: null, name: url.host, url: url.origin + url.pathname, headers: {} }
  const times = { startedAt, durationMs: Math.max(0, entry.time) }
  const live = { appId: '', url: url.href, ...times, response: toResponse(entry.response) }
  return calls.record(app, live, 'imported')
}

function toResponse({ status, statusText, headers, content }: Entry['response']) {
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined
  const body = decode(content)
  if (body === undefined) return undefined
  const known = headers.filter(({ name }) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))
  const values = known.map(({ name, value }) => [name.toLowerCase(), value] as const)
  return { status, statusText, headers: Object.fromEntries(values), body }
}

function decode({ text = '', encoding }: Entry['response']['content']) {
  if (encoding !== 'base64') return new TextEncoder().encode(text)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
