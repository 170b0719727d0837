import * as z from 'zod'

const header = z.object({ name: z.string(), value: z.string() })

const entrySchema = z.object({
  startedDateTime: z.iso.datetime({ offset: true }).transform(Date.parse),
  time: z.number().nonnegative(),
  request: z.object({
    method: z.string(),
    url: z
      .string()
      .transform((text) => URL.parse(text))
      .refine((url) => url !== null && /^https?:$/.test(url.protocol))
      .transform((url) => url ?? new URL('http://unreachable.invalid')),
    headers: z.array(header).catch([]),
  }),
  response: z.object({
    status: z.number(),
    headers: z.array(header).catch([]),
    content: z
      .object({ text: z.string().catch(''), encoding: z.string().optional() })
      .catch({ text: '' }),
    /** Browsers and proxies write the reason here if there was no response. */
    _error: z.string().nullish().catch(undefined),
  }),
  /** Written by the HAR export of the workspace. */
  _sidecard: z
    .object({
      source: z.string().optional(),
      urlNumber: z.number().optional(),
      abortedAfterMs: z.number().optional(),
      link: z.object({ use: z.enum(['whole', 'cut']), length: z.number() }).optional(),
    })
    .optional()
    .catch(undefined),
})

/** An entry of a HAR document. */
export type HarEntry = z.output<typeof entrySchema>

/** The entries of a HAR document, oldest first. */
export interface HarEntries {
  readonly entries: readonly HarEntry[]
  /** The number of entries that cannot be read. */
  readonly invalid: number
}

/** Reads the entries of a HAR document. Returns `undefined` for another value. */
export function readHarEntries(value: unknown): HarEntries | undefined {
  const document = z.object({ log: z.object({ entries: z.array(z.unknown()) }) }).safeParse(value)
  if (!document.success) return undefined
  const parsed = document.data.log.entries.map((entry) => entrySchema.safeParse(entry))
  const entries = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]))
  return {
    entries: entries.toSorted((left, right) => left.startedDateTime - right.startedDateTime),
    invalid: parsed.length - entries.length,
  }
}

/** Returns the text of a response, decoded from base64 if necessary. */
export function readText({ response: { content } }: HarEntry): string {
  if (content.encoding !== 'base64') return content.text
  return Buffer.from(content.text, 'base64').toString('utf8')
}

/** Parses the JSON of a response; `undefined` if it is not JSON. */
export function readJson(entry: HarEntry): unknown {
  try {
    return JSON.parse(readText(entry).replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
