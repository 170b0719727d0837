import { normalizeActionLinks } from '../../internal/action-link.ts'
import { isDeeperThan } from '../../internal/is-deeper-than.ts'
import { FETCH_DATA_PARAMETERS } from '../../contract/parameters.ts'
import { redactValue } from '../../internal/redact-value.ts'
import { anonymize } from '../../service/anonymize/anonymize.ts'
import type { Replaced } from '../../service/anonymize/placeholders.ts'
import type { FetchDataIds } from '../../service/query.ts'
import type { LoggedExchange } from './exchange-log.ts'

/** The IDs and the body of a request, for a file. */
export interface ExportedExchange {
  readonly params: FetchDataIds
  /**
   * The parsed JSON body, or the text of a body that is not JSON; `undefined`
   * without a response.
   */
  readonly body: unknown
  /** The headers, the status text and the message, for the export. */
  readonly meta: ExportedMeta
  readonly replaced: Replaced | null
  /** The titles that are unchanged. */
  readonly kept: readonly string[]
}

/** The texts of a request in addition to its body. */
export interface ExportedMeta {
  readonly headers: Readonly<Record<string, string>>
  readonly statusText: string
  readonly message: string
}

/** Anonymizes a request as `sidecard record` does; `keep` only removes the tokens of actions. */
export function anonymizeExchange(
  { request, response, message }: LoggedExchange,
  options: { readonly keep: boolean },
): ExportedExchange {
  const params = readIds(request.parameters)
  const body = response === null ? undefined : parseBody(response.body)
  const { headers = {}, statusText = '' } = response ?? {}
  const meta = { headers, statusText, message }
  if (options.keep) {
    return {
      params,
      ...redactValue({ body, meta }, normalizeActionLinks),
      replaced: null,
      kept: [],
    }
  }
  // Nothing to redact here: secrets were replaced when the request was logged.
  const redact = (text: string) => text
  const found = anonymize({ params, body: { body, meta } }, { replace: [], keep: [], redact })
  return { ...found, ...(found.body as Pick<ExportedExchange, 'body' | 'meta'>) }
}

/** Reads the IDs of a data fetch from its parameters. */
export function readIds(parameters: LoggedExchange['request']['parameters']): FetchDataIds {
  const values = new Map(parameters)
  return Object.fromEntries(
    FETCH_DATA_PARAMETERS.flatMap((name) => {
      const value = values.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}

/** Deeper than any payload, and far below the depth at which recursion fails. */
const MAX_DEPTH = 100

function parseBody(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isDeeperThan(MAX_DEPTH, value) ? text : value
  } catch {
    return text
  }
}
